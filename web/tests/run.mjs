// Runs the tests of the package in browsers. The last line counts: "N passed, N failed".
// node run.mjs [NAME]...: only runs whose name contains one of these.

import {launch, openPage} from './browser.mjs';
import {serve} from './serve.mjs';

const filters = process.argv.slice(2);
const seconds = (start) => ((performance.now() - start) / 1000).toFixed(1);

// What runs where. `tests`: parts of names; all without.
const runs = [
    {name: 'llvmpipe', driver: 'llvmpipe', suites: 'sorts,scenes'},
    ...[4, 2, 1].map((attachments) => ({
        name: `llvmpipe with ${attachments} attachments`,
        driver: 'llvmpipe',
        suites: 'sorts,scenes',
        query: `&attachments=${attachments}&log2=14`,
        tests: ['every size', 'several sources'],
    })),
    {name: 'numbers', driver: 'llvmpipe', suites: 'numbers'},
    {name: 'three.js', driver: 'llvmpipe', suites: 'three'},
    {name: 'documents', driver: 'llvmpipe', suites: 'documents'},
    {
        name: 'SwiftShader',
        driver: 'swiftshader',
        suites: 'sorts,scenes',
        query: '&log2=12',
        tests: ['every size', 'several sources', 'three forms'],
    },
    {
        name: 'Firefox',
        driver: 'firefox',
        suites: 'sorts,scenes',
        query: '&log2=16',
        tests: ['every size', 'several sources', 'three forms', 'hostile', 'lost'],
    },
];

let passed = 0;
let failed = 0;
const report = (name, error, note, start) => {
    if (error) ++failed;
    else ++passed;
    console.log(`${error ? 'FAILED' : 'passed'}  ${name}  (${seconds(start)} s)${note ? `  ${note}` : ''}`);
    if (error) console.log(`    ${String(error).replaceAll('\n', '\n    ')}`);
};

const server = await serve();
const browsers = new Map();
async function browserFor(driver) {
    if (!browsers.has(driver)) browsers.set(driver, await launch(driver));
    return browsers.get(driver);
}
for (const run of runs) {
    if (filters.length && !filters.some((filter) => run.name.includes(filter))) continue;
    try {
        const url = `${server.address}/tests/pages/tests.html?suites=${run.suites}${run.query ?? ''}`;
        const {page, complaints} = await openPage(await browserFor(run.driver), url);
        await page.waitForFunction('window.loaded', {timeout: 60000});
        for (const name of await page.evaluate('Object.keys(tests)')) {
            if (run.tests && !run.tests.some((part) => name.includes(part))) continue;
            const start = performance.now();
            complaints.length = 0;
            const {error, note} = await page.evaluate(async (test) => {
                try {
                    return {note: await window.tests[test]()};
                } catch (thrown) {
                    return {
                        error: thrown.stack?.includes(thrown.message)
                            ? thrown.stack
                            : `${thrown.message}\n${thrown.stack}`,
                    };
                } finally {
                    window.loseContexts();
                }
            }, name);
            const expected = name.includes('errors name')
                ? complaints.filter((text) => !text.includes('404'))
                : complaints;
            report(`${run.name}: ${name}`, error ?? expected.join('\n'), note, start);
        }
        await page.close();
    } catch (error) {
        report(run.name, error.stack, '', performance.now());
    }
}
// Tests that run here: of types and files, and of pages that are driven from outside.
const others = {
    format: async () => (await import('./format.mjs')).testFormat,
    types: async () => (await import('./types.mjs')).testTypes,
    package: async () => (await import('./package.mjs')).testPackage,
    site: async () => (await import('./site.mjs')).testSite,
    example: async () => (await import('./example.mjs')).testExample,
    'numbers: tasks': async () => (await import('./tasks.mjs')).testTasks,
    'numbers: the program outside': async () => (await import('./native.mjs')).testNative,
};
for (const [name, load] of Object.entries(others)) {
    if (filters.length && !filters.some((filter) => name.includes(filter))) continue;
    try {
        await (
            await load()
        )({browser: () => browserFor('llvmpipe'), address: server.address, report});
    } catch (error) {
        report(name, error.stack, '', performance.now());
    }
}
for (const browser of browsers.values()) await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
