// The longest task of a page, in time of the processor: other programs on the machine do not count.

import {openPage} from './browser.mjs';

const limit = 20; // Milliseconds.
const attempts = 3;

/** Milliseconds of the longest task while `work` runs in the page. `work`: a function of `argument`. */
export async function longestTask(page, work, argument) {
    const mark = (name) => page.evaluate((text) => performance.mark(text) && undefined, name);
    await page.tracing.start({categories: ['toplevel', 'blink.user_timing']});
    await mark('glsort begins');
    await page.evaluate(work, argument);
    await mark('glsort ends');
    const {traceEvents} = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
    const [begin, end] = ['begins', 'ends'].map((name) => traceEvents.find((event) => event.name === `glsort ${name}`));
    const times = traceEvents
        .filter(({name, tid, pid}) => /RunTask$/.test(name) && tid === begin.tid && pid === begin.pid)
        .filter(({ts, tdur}) => tdur !== undefined && ts >= begin.ts && ts <= end.ts)
        .map(({tdur}) => tdur / 1000);
    if (times.length < 10) throw new Error(`only ${times.length} tasks in the trace`);
    return Math.max(...times);
}

/** A sorter of 2^`exponent` elements, made and disposed of. Runs in the page. */
export async function construct(exponent) {
    const {makeContext} = await import('/tests/pages/helpers.js');
    const {loadGlsort} = await import('glsort');
    const gl = makeContext();
    if (!gl.getExtension('KHR_parallel_shader_compile')) throw new Error('the browser does not compile in parallel');
    const glsort = await loadGlsort(gl);
    await glsort.createSorter({capacity: 2 ** exponent});
    glsort.dispose();
}

export async function testTasks({browser, address, report}) {
    const start = performance.now();
    const {page} = await openPage(await browser(), `${address}/tests/pages/tests.html?suites=numbers`);
    await page.waitForFunction('window.loaded', {timeout: 60000});
    const found = [];
    while (found.length < attempts && !(found.at(-1) <= limit)) found.push(await longestTask(page, construct, 20));
    await page.close();
    const text = `${found.map((time) => time.toFixed(1)).join(', ')} ms of the processor (limit ${limit})`;
    report('numbers: the longest task of a construction', found.at(-1) <= limit ? null : text, text, start);
}
