// Compares the sort in Chromium with that of the program outside of the browser, on the same driver.

import {execFile} from 'node:child_process';
import {access} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {openPage} from './browser.mjs';

const program = fileURLToPath(new URL('../../build/release/bin/glsort', import.meta.url));
const run = promisify(execFile);
const exponent = 18;
const most = 1.3; // The goal, on a quiet machine. A busy one blurs both times, and the test allows more.
const limit = 1.6;
const fewestPairs = 5;
const pairs = 20;

/** Whether the program has been built. */
export const hasProgram = () =>
    access(program).then(
        () => true,
        () => false,
    );

/** Milliseconds of the median sort outside of the browser. */
async function outside() {
    const options = ['--backend', 'fragment', '--algorithm', 'merge', '--state', 'caller-resets', '--no-verify'];
    const {stdout} = await run(program, ['bench', '--sizes', `2^${exponent}`, ...options, '--format', 'json'], {
        env: {...process.env, LIBGL_ALWAYS_SOFTWARE: '1'},
    });
    const {gpu, rows} = JSON.parse(stdout);
    if (!/llvmpipe/.test(gpu.renderer)) throw new Error(`the program runs on ${gpu.renderer}, not on llvmpipe`);
    return rows.find(({backend}) => backend === 'fragment').median_ms; // beside std::sort
}

/** Milliseconds of the median sort in a new page. */
async function inside(openPage) {
    const page = await openPage();
    const time = await page.evaluate(async (log) => {
        const {median} = await import('/tests/pages/helpers.js');
        const {timesOfSorts} = await import('/tests/pages/numbers.js');
        return median(await timesOfSorts(log, 7));
    }, exponent);
    await page.close();
    return time;
}

const ratioOf = ({inside, outside}) => inside / outside;

/** The pair of times with the median ratio. */
const medianOf = (measured) => [...measured].sort((a, b) => ratioOf(a) - ratioOf(b))[measured.length >> 1];

/**
 * Measures pairs of times in turn: on a busy machine times double for seconds, and then both times of a pair double.
 * Some pages are slow from their first sort on, so the pair with the median ratio counts. `openPage`: resolves to a new
 * page of tests.
 */
export async function compareWithNative(openPage, report = () => {}) {
    const measured = [];
    while (measured.length < pairs) {
        measured.push({inside: await inside(openPage), outside: await outside()});
        report(measured.at(-1));
        if (measured.length >= fewestPairs && ratioOf(medianOf(measured)) <= most) break;
    }
    return medianOf(measured);
}

/** A new page of the tests that measure. */
export async function openNumbers(browser, address) {
    const {page} = await openPage(await browser(), `${address}/tests/pages/tests.html?suites=numbers`);
    await page.waitForFunction('window.loaded', {timeout: 60000});
    return page;
}

export async function testNative({browser, address, report}) {
    const start = performance.now();
    if (!(await hasProgram())) return console.log(`skipped  numbers: ${program} is not built`);
    const pair = await compareWithNative(() => openNumbers(browser, address));
    const ratio = ratioOf(pair);
    const text =
        `2^${exponent}: ${pair.inside.toFixed(1)} ms in Chromium, ${pair.outside.toFixed(1)} ms outside, ` +
        `${ratio.toFixed(2)} times (goal ${most}, limit ${limit})`;
    report('numbers: beside the program outside', ratio <= limit ? null : text, text, start);
}
