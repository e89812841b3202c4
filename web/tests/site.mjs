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
    async 'a picture that is hidden for a while'({page}) {
        const show = (display) => page.$eval('#view', (canvas, value) => (canvas.style.display = value), display);
        await show('none');
        await new Promise((resolve) => setTimeout(resolve, 500));
        await show('');
        await page.$eval('#view-status', (element) => (element.textContent = ''));
        await waitForText(page, 'view-status', 'sorted for each picture');
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
            await writeFile(join(folder, 'empty.ply'), syntheticSplats(0));
            await input.uploadFile(join(folder, 'empty.ply'));
            await waitForText(page, 'problem', 'no points and no splats');
        } finally {
            await rm(folder, {recursive: true});
        }
    },
    async 'a PLY file that is dropped'({page}) {
        const drag = (kind) =>
            page.evaluate(
                (type, numbers) => {
                    const dataTransfer = new DataTransfer();
                    dataTransfer.items.add(new File([Uint8Array.from(numbers)], 'dropped.ply'));
                    document
                        .getElementById('view')
                        .dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
                    return document.getElementById('drop-hint').hidden;
                },
                kind,
                [...syntheticSplats(777)],
            );
        check(!(await drag('dragover')), 'nothing says that a file may be dropped');
        check(await drag('drop'), 'the hint stays');
        await waitForText(page, 'view-status', '777 elements, sorted');
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
        await waitForText(page, 'bench-verdict', 'With 16 384 keys, the winner on this device is');
        const table = await page.$$eval('table tr', (lines) =>
            lines.map((line) => [...line.cells].map((cell) => ({text: cell.textContent, best: cell.className}))),
        );
        const texts = table.map((line) => line.map(({text}) => text));
        check(texts[0].join() === 'Keys,4 096,16 384' && texts.length === 6, JSON.stringify(texts));
        for (const line of texts.slice(1))
            check(line.length === 3 && line.slice(1).every((text) => Number(text) > 0), JSON.stringify(line));
        // The sentence names the sort that has the smallest time, and so does the mark in the table.
        const least = Math.min(...texts.slice(1, 5).map((line) => Number(line.at(-1))));
        const marked = table.slice(1).filter((line) => line.at(-1).best === 'best');
        check(marked.length >= 1, 'no time is marked');
        for (const line of marked) check(Number(line.at(-1).text) === least, `${line.at(-1).text} is marked`);
        const said = await textOf(page, 'bench-verdict');
        check(
            marked.some(([name]) => said.includes(`the winner on this device is: ${name.text} (`)),
            said,
        );
        check(/Then glsort (wins|still loses) against/.test(said), said);
        return said;
    },
    async 'a software GPU is named as such'({page}) {
        check((await textOf(page, 'device')).includes('llvmpipe'), await textOf(page, 'device'));
        check(await page.$eval('#software', (element) => !element.hidden), 'the page does not say so');
    },
    // Last of all: three.js complains when it deletes objects of the context that was lost.
    async 'a lost context, without sorting'({page}) {
        await page.evaluate('document.getElementById("sorting").scrollIntoView({block: "end"})');
        await page.click('#sorting');
        await waitForText(page, 'view-status', 'not sorted');
        const before = await pictureOf(page);
        await page.evaluate(async () => {
            const gl = document.getElementById('view').getContext('webgl2');
            const extension = gl.getExtension('WEBGL_lose_context');
            extension.loseContext();
            await new Promise((resolve) => setTimeout(resolve, 100));
            extension.restoreContext();
        });
        const end = performance.now() + 30000;
        while ((await pictureOf(page)) !== before) check(performance.now() < end, 'the picture does not come back');
        await page.click('#sorting');
        await waitForText(page, 'view-status', 'sorted for each picture');
    },
    async 'a finger turns the scene'({page}) {
        await page.evaluate('document.getElementById("view").scrollIntoView({block: "center"})');
        if (await page.$eval('#turning', (box) => box.checked)) await page.tap('#turning');
        await page.evaluate('document.getElementById("view").scrollIntoView({block: "center"})');
        await new Promise((resolve) => setTimeout(resolve, 500));
        const before = await pictureOf(page);
        const {x, y} = await (await page.$('#view')).boundingBox();
        await page.touchscreen.touchStart(x + 60, y + 100);
        for (let i = 1; i <= 8; ++i) await page.touchscreen.touchMove(x + 60 + 20 * i, y + 100);
        await page.touchscreen.touchEnd();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        check((await pictureOf(page)) !== before, 'the picture is as before');
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

/** Browsers in which something is missing. Each step gets the address of the page, and returns the page. */
const hostile = {
    async 'a browser without WebGL2'(browser, url) {
        const before = 'HTMLCanvasElement.prototype.getContext = () => null';
        const {page, complaints} = await openPage(browser, url, {before});
        await waitForText(page, 'problem', 'no WebGL2 context');
        check((await textOf(page, 'view-status')) === '', await textOf(page, 'view-status'));
        await page.click('#bench-run');
        await page.waitForFunction('document.getElementById("bench-verdict").textContent === ""');
        await waitForText(page, 'problem', 'no WebGL2 context');
        check(complaints.length === 0, complaints.join('\n'));
        return page;
    },
    async 'a module that cannot be loaded at first'(browser, url) {
        const before = `const load = fetch;
            window.isOffline = true;
            window.fetch = (...given) => (isOffline ? Promise.reject(new Error('offline')) : load(...given));`;
        const {page, complaints} = await openPage(browser, url, {before});
        await waitForText(page, 'problem', 'offline');
        check((await textOf(page, 'view-status')) === '', await textOf(page, 'view-status'));
        await page.click('#program-print');
        await page.waitForFunction('!document.getElementById("program-print").disabled');
        await waitForText(page, 'problem', 'offline');
        await page.evaluate('isOffline = false');
        await page.click('#program-print');
        await waitForText(page, 'program', 'merge_runs');
        check(await page.$eval('#problem', (element) => element.hidden), await textOf(page, 'problem'));
        check(complaints.length === 0, complaints.join('\n'));
        return page;
    },
    async 'a browser without import maps'(browser, url) {
        const page = await browser.newPage();
        await page.evaluateOnNewDocument('delete HTMLScriptElement.supports');
        // Such a browser does not run the modules.
        await page.setRequestInterception(true);
        page.on('request', (request) => (request.url().endsWith('/page.js') ? request.abort() : request.continue()));
        await page.goto(url, {waitUntil: 'load'});
        check((await textOf(page, 'problem')).includes('no import maps'), await textOf(page, 'problem'));
        check(await page.$eval('#problem', (element) => !element.hidden), 'the message is hidden');
        check((await textOf(page, 'view-status')) === '', await textOf(page, 'view-status'));
        return page;
    },
};

async function runHostile(browser, url, report) {
    for (const [name, step] of Object.entries(hostile)) {
        const start = performance.now();
        try {
            const page = await step(browser, url);
            await page.close();
            report(`site: ${name}`, null, '', start);
        } catch (error) {
            report(`site: ${name}`, error.message, '', start);
        }
    }
}

export async function testSite({browser, address, report}) {
    const url = `${address}/site/`;
    const onDesktop = Object.keys(steps).filter((name) => !name.includes('finger'));
    await runSteps(await browser(), url, report, 'site', {width: 1000, height: 800}, onDesktop);
    await runHostile(await browser(), url, report);
    // Without a server: as a person opens a file.
    const file = String(new URL('../site/lib/glsort-page.html', import.meta.url));
    await runSteps(await browser(), file, report, 'site as one file', {width: 1000, height: 800}, onDesktop);
    await runSteps(
        await browser(),
        url,
        report,
        'site on a phone',
        {width: 390, height: 844, isMobile: true, hasTouch: true},
        ['the page loads, and draws sorted splats', 'a finger turns the scene', 'the printed program', 'the bench'],
    );
}
