// Drives the example of web/examples/splats, and compares its picture with one in an order that JavaScript has found.

import {openPage} from './browser.mjs';
import {syntheticSplats, writePly} from '../site/splats.js';

function check(holds, message) {
    if (!holds) throw new Error(message);
}

const waitForStatus = (page, part) =>
    page.waitForFunction(
        (text) => document.getElementById('status').textContent.includes(text),
        {timeout: 60000},
        part,
    );

/** Drops a file onto the page. `bytes`: of the file. */
const drop = (page, name, bytes) =>
    page.evaluate(
        (fileName, numbers) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([Uint8Array.from(numbers)], fileName));
            document
                .querySelector('canvas')
                .dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
        },
        name,
        [...bytes],
    );

/** Checks the picture that the page's own camera sees now. */
async function checkPicture(page, bytes) {
    const {wrong, unordered} = await page.evaluate(
        async (numbers) => {
            const {renderer, scene, camera, splats} = await import('/examples/splats/splats.js');
            const {differences} = await import('/tests/pages/pictures.js');
            const {parsePly} = await import('glsort/three');
            const file = numbers ? Uint8Array.from(numbers) : await (await fetch('planet.ply')).arrayBuffer();
            return differences(renderer, scene, splats, camera, parsePly(file).positions, 4);
        },
        bytes && [...bytes],
    );
    check(wrong < 0.002, `${(100 * wrong).toFixed(2)} % of the pixels differ from those in JavaScript's order`);
    check(
        unordered > 0.03,
        `the order changes only ${(100 * unordered).toFixed(1)} % of the pixels: the test tests nothing`,
    );
    return `${(100 * wrong).toFixed(2)} % of the pixels differ, without an order ${(100 * unordered).toFixed(0)} %`;
}

const cameraOf = (page) =>
    page.evaluate(async () => (await import('/examples/splats/splats.js')).camera.position.toArray());

/** The bytes of a file with splats at `places`, all of one size. */
const splatsAt = (places, size) =>
    writePly(places.length, (i) => ({
        place: places[i],
        color: [1, 1, 1],
        opacity: 4,
        size: [size, size, size],
        turn: [1, 0, 0, 0],
    }));

/** Drops a file with splats at `places`. Returns the share of the picture that they cover. */
async function coverOf(page, name, places, size) {
    await drop(page, name, splatsAt(places, size));
    await waitForStatus(page, `${name}: ${places.length} splats`);
    return page.evaluate(async () => {
        const {renderer, scene, camera, splats} = await import('/examples/splats/splats.js');
        const {pixels} = await import('/tests/pages/pictures.js');
        splats.update(camera);
        renderer.render(scene, camera);
        const alphas = pixels(renderer).filter((_, i) => i % 4 === 3);
        return alphas.filter((alpha) => alpha > 0).length / alphas.length;
    });
}

const steps = {
    async 'the planet, in the order of JavaScript'(page) {
        await waitForStatus(page, 'planet.ply: 6000 splats');
        return checkPicture(page);
    },
    async 'a drag turns the planet'(page) {
        const before = await cameraOf(page);
        await page.mouse.move(150, 150);
        await page.mouse.down();
        await page.mouse.move(330, 190, {steps: 4});
        await page.mouse.up();
        const after = await cameraOf(page);
        check(
            Math.hypot(...after.map((value, i) => value - before[i])) > 1,
            `the camera moved from ${before} to ${after}`,
        );
        return checkPicture(page);
    },
    async 'a file that is dropped'(page) {
        const bytes = syntheticSplats(2000);
        await drop(page, 'knot.ply', bytes);
        await waitForStatus(page, 'knot.ply: 2000 splats');
        return checkPicture(page, bytes);
    },
    async 'a file that is none'(page) {
        await drop(page, 'letter.ply', Buffer.from('Dear reader'));
        await waitForStatus(page, 'letter.ply: parsePly: this is no PLY file');
    },
    async 'the window changes its size'(page) {
        await page.setViewport({width: 390, height: 700});
        await page.waitForFunction('document.querySelector("canvas").width === 390', {timeout: 60000});
        check(
            await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
            'the page is wider than the screen',
        );
        return checkPicture(page, syntheticSplats(2000));
    },
    async 'keys turn and move the camera'(page) {
        await page.focus('canvas');
        const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
        const press = async (key) => {
            const before = await cameraOf(page);
            for (let i = 0; i < 5; ++i) await page.keyboard.press(key);
            const after = await cameraOf(page);
            check(distance(after, before) > 0.01, `the camera moved from ${before} to ${after}`);
            return [before, after];
        };
        await page.keyboard.down('Shift');
        // The knot lies around the middle of the scene.
        const [before, after] = (await press('ArrowLeft')).map((place) => Math.hypot(...place));
        await page.keyboard.up('Shift');
        check(Math.abs(before - after) < 0.2 * before, `the distance changed from ${before} to ${after}`);
        await press('ArrowLeft');
    },
    async 'a file without splats'(page) {
        await drop(page, 'empty.ply', splatsAt([], 1));
        await waitForStatus(page, 'empty.ply: the file has no splats');
    },
    async 'one splat, far splats, and places that are no numbers'(page) {
        const corners = [-1, 1].flatMap((x) => [-1, 1].map((y) => [x, y, 0]));
        const far = corners.map((corner) => corner.map((value) => 10000 * value));
        const shares = [
            await coverOf(page, 'one.ply', [[3, 4, 5]], 0.2),
            await coverOf(page, 'far.ply', far, 2000),
            await coverOf(page, 'hostile.ply', [...corners, [NaN, 0, 0], [0, Infinity, 0]], 0.2),
        ];
        for (const share of shares) check(share > 0.02 && share < 0.9, `the splats cover ${shares} of the pictures`);
    },
    async 'a browser without WebGL2'(page, open) {
        // three.js writes to the console, too.
        const other = await open({before: 'HTMLCanvasElement.prototype.getContext = () => null'});
        await waitForStatus(other.page, 'no WebGL2 context');
        await other.page.close();
    },
};

export async function testExample({browser, address, report}) {
    const open = async (options) => openPage(await browser(), `${address}/examples/splats/`, options);
    const {page, complaints} = await open({viewport: {width: 500, height: 400}});
    for (const [name, step] of Object.entries(steps)) {
        const start = performance.now();
        let note = '';
        let error = null;
        try {
            note = await step(page, open);
        } catch (thrown) {
            error = thrown;
        }
        report(
            `example: ${name}`,
            error || complaints.length ? [error?.message, ...complaints].join('\n') : null,
            note,
            start,
        );
        complaints.length = 0;
    }
    await page.close();
}
