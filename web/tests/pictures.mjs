// Takes the pictures of the documents, which are small: the page, and the example for three.js.
// node pictures.mjs FOLDER

import {join} from 'node:path';
import {launch, openPage} from './browser.mjs';
import {serve} from './serve.mjs';

const folder = process.argv[2];
const server = await serve();
const browser = await launch('llvmpipe');
const still = [{name: 'prefers-reduced-motion', value: 'reduce'}];

/** `ready`: an expression that is true once there is something to see. */
async function open(path, viewport, ready) {
    const {page, complaints} = await openPage(browser, `${server.address}${path}`, {viewport, mediaFeatures: still});
    await page.waitForFunction(ready, {timeout: 60000});
    if (complaints.length) throw new Error(complaints.join('\n'));
    return page;
}

const site = await open(
    '/site/',
    {width: 800, height: 1010, deviceScaleFactor: 0.7},
    'document.getElementById("view-status").textContent.includes("sorted for each")',
);
// The first sorts take longer than those that the page then tells of.
await new Promise((resolve) => setTimeout(resolve, 6000));
await site.screenshot({path: join(folder, 'browser-page.png')});

const example = await open(
    '/examples/splats/',
    {width: 640, height: 420},
    'document.getElementById("status").textContent.includes("6000")',
);
await (await example.$('canvas')).screenshot({path: join(folder, 'browser-splats.png')});

await browser.close();
server.close();
