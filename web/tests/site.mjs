// Drives the page of web/site by clicks and keys, and looks at what it shows.

import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPage} from './browser.mjs';
import {syntheticSplats} from '../site/splats.js';

const loadLimit = 2000; // Milliseconds.

function check(holds, message) {
    if (!holds) throw new Error(message);
}

const textOf = (page, id) => page.$eval(`#${id}`, (element) => element.textContent);
const waitForText = (page, id, part) =>
    page.waitForFunction(
        (name, text) => document.getElementById(name).textContent.includes(text),
        {timeout: 60000},
        id,
        part,
    );

/** The picture as the page shows it now. */
const pictureOf = async (page) => Buffer.from(await (await page.$('#view')).screenshot()).toString('base64');

const steps = {
    async 'the page loads, and draws sorted splats'({page}) {
        // Up to now, the time that the browser has measured.
        const loaded = await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd');
        check(loaded > 0 && loaded < loadLimit, `the page took ${loaded} ms to load`);
        await waitForText(page, 'view-status', 'sorted for each picture');
        check((await textOf(page, 'view-status')).startsWith('10 000 elements'), await textOf(page, 'view-status'));
        return `loaded in ${loaded.toFixed(0)} ms`;
    },
    async 'arrow keys turn the scene'({page}) {
        await page.click('#turning');
        await new Promise((resolve) => setTimeout(resolve, 500));
        const before = await pictureOf(page);
        await page.focus('#view');
        for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        check((await pictureOf(page)) !== before, 'the picture is as before');
    },
    async 'without sorting the picture is another one'({page}) {
        await page.evaluate('document.getElementById("sorting").scrollIntoView({block: "end"})');
        await page.click('#sorting');
        await waitForText(page, 'view-status', 'not sorted');
        const before = await pictureOf(page);
        await page.focus('#view');
        for (let i = 0; i < 25; ++i) await page.keyboard.press('ArrowRight');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const unsorted = await pictureOf(page);
        check(unsorted !== before, 'the scene does not turn without sorting');
        await page.focus('#sorting');
        await page.keyboard.press('Space');
        await waitForText(page, 'view-status', 'sorted for each picture');
        check((await pictureOf(page)) !== unsorted, 'the order changes nothing');
    },
    async 'points, and a PLY file'({page}) {
        await page.click('input[value=points]');
        await waitForText(page, 'view-status', '10 000 elements, sorted');
        const folder = await mkdtemp(join(tmpdir(), 'glsort-'));
        try {
            await writeFile(join(folder, 'splats.ply'), syntheticSplats(1234));
            await writeFile(join(folder, 'other.ply'), 'no such file');
            const input = await page.$('#file');
            await input.uploadFile(join(folder, 'splats.ply'));
            await waitForText(page, 'view-status', '1 234 elements, sorted');
            await input.uploadFile(join(folder, 'other.ply'));
            await waitForText(page, 'problem', 'no PLY file');
        } finally {
            await rm(folder, {recursive: true});
        }
    },
    async 'the printed program'({page}) {
        await page.click('#program-print');
        await waitForText(page, 'program', 'merge_runs');
        check((await textOf(page, 'program')).includes('n = 4096'), await textOf(page, 'program'));
        await page.$eval('#program-count', (input) => {
            input.value = '0';
        });
        await page.click('#program-print');
        await waitForText(page, 'problem', 'from 1 to 1 048 576');
    },
    async 'the bench'({page}) {
        await page.select('#bench-largest', '14');
        await page.focus('#bench-run');
        await page.keyboard.press('Enter');
        await waitForText(page, 'bench-verdict', 'On this device, with 16,384 keys');
        const rows = await page.$$eval('#bench tr', (lines) =>
            lines.map((line) => [...line.cells].map((cell) => cell.textContent)),
        );
        check(
            rows.length === 2 &&
                rows.every((row) => row.length === 6 && row.slice(1).every((text) => Number(text) > 0)),
            JSON.stringify(rows),
        );
        return rows.at(-1).join(' | ');
    },
};

async function runSteps(browser, url, report, prefix, viewport, names) {
    const {page, complaints} = await openPage(browser, url, {viewport});
    await page.select('#count', '10000');
    for (const name of names) {
        const start = performance.now();
        try {
            const note = await steps[name]({page});
            const {scrollWidth, width} = await page.evaluate(
                '({scrollWidth: document.documentElement.scrollWidth, width: innerWidth})',
            );
            check(scrollWidth <= width, `the page is ${scrollWidth} pixels wide on a screen of ${width}`);
            check(complaints.length === 0, complaints.join('\n'));
            report(`${prefix}: ${name}`, null, note, start);
        } catch (error) {
            report(`${prefix}: ${name}`, [error.message, ...complaints].join('\n'), '', start);
        }
        complaints.length = 0;
    }
    await page.close();
}

export async function testSite({browser, address, report}) {
    const url = `${address}/site/`;
    await runSteps(await browser(), url, report, 'site', {width: 1000, height: 800}, Object.keys(steps));
    await runSteps(
        await browser(),
        url,
        report,
        'site on a phone',
        {width: 390, height: 844, isMobile: true, hasTouch: true},
        ['the page loads, and draws sorted splats', 'the printed program', 'the bench'],
    );
}
