// Prints the times of the package in Chromium on llvmpipe, for the documents. node measure.mjs

import {launch, openPage} from './browser.mjs';
import {compareWithNative, hasProgram, openNumbers} from './native.mjs';
import {serve} from './serve.mjs';
import {construct, longestTask} from './tasks.mjs';

const server = await serve();
// Without the cache of shaders, as at the first visit.
process.env.MESA_SHADER_CACHE_DISABLE = 'true';
const browser = await launch('llvmpipe');
const {page} = await openPage(browser, `${server.address}/tests/pages/tests.html?suites=sorts`);
await page.waitForFunction('window.loaded');
for (const log of [16, 18, 20]) {
    console.log(
        await page.evaluate(async (exponent) => {
            const {makeContext, median, random, readTexels, wordTexture} = await import('/tests/pages/helpers.js');
            const {countingSort, radixSort} = await import('/site/sorts.js');
            const {loadGlsort} = await import('glsort');
            const count = 2 ** exponent;
            const gl = makeContext();
            const glsort = await loadGlsort(gl);
            const start = performance.now();
            const sorter = await glsort.createSorter({capacity: count});
            const construction = performance.now() - start;
            const next = random(1);
            const keys = Uint32Array.from({length: count}, next);
            const source = wordTexture(gl, keys, 2 ** Math.ceil(exponent / 2));
            const [calls, sorts] = [[], []];
            for (let i = 0; i < 7; ++i) {
                const begin = performance.now();
                const order = sorter.sort(source, count);
                calls.push(performance.now() - begin);
                readTexels(gl, order, 1, 1);
                sorts.push(performance.now() - begin);
            }
            glsort.dispose();
            const inJavaScript = (work) =>
                median(
                    Array.from({length: 7}, () => {
                        const begin = performance.now();
                        work(keys);
                        return performance.now() - begin;
                    }),
                ).toFixed(1);
            const times = {
                sort: median(sorts).toFixed(1),
                'least sort': Math.min(...sorts).toFixed(1),
                'JavaScript of a call': median(calls).toFixed(2),
                construction: construction.toFixed(0),
                'counting sort': inJavaScript(countingSort),
                'radix sort': inJavaScript(radixSort),
            };
            return `2^${exponent}, ms: ${Object.entries(times)
                .map(([name, time]) => `${name} ${time}`)
                .join(', ')}`;
        }, log),
    );
    console.log(`    longest task of a construction: ${(await longestTask(page, construct, log)).toFixed(1)}`);
}
if (await hasProgram()) {
    const pair = ({inside, outside}) => console.log(`2^18, ms: in Chromium ${inside}, outside ${outside}`);
    await compareWithNative(() => openNumbers(async () => browser, server.address), pair);
}
await browser.close();
server.close();
