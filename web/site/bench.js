// Measures sorts here and now.

import {loadGlsort} from 'glsort';
import {countingSort, radixSort, typedArraySort} from './sorts.js';

const repeats = 5;
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

/** Milliseconds of `work`, in the middle of some runs. */
async function measure(work) {
    work();
    const times = [];
    for (let i = 0; i < repeats; ++i) {
        await turn();
        const start = performance.now();
        work();
        times.push(performance.now() - start);
        if (times[i] > 1000) break;
    }
    return median(times);
}

/** A context that draws nothing on the page. Older browsers have no WebGL in an OffscreenCanvas. */
export function makeContext() {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const gl = canvas.getContext('webgl2');
    if (!gl) throw new Error('This browser gives no WebGL2 context, which glsort needs.');
    return gl;
}

/** `report(row)` for each size: the times of all sorts. */
export async function runBench(largest, module, report) {
    const gl = makeContext();
    const glsort = await loadGlsort(gl, {module});
    const framebuffer = gl.createFramebuffer();
    const read = (texture, width, height, into) => {
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, into);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    };
    const pixel = new Uint32Array(4);
    try {
        for (let log = 12; log <= largest; log += 2) {
            const count = 2 ** log;
            const width = 2 ** Math.ceil(log / 2);
            const height = count / width;
            const keys = new Uint32Array(count).map(() => Math.random() * 2 ** 32);
            const upload = (texture, words) => {
                gl.bindTexture(gl.TEXTURE_2D, texture);
                gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER, gl.UNSIGNED_INT, words);
                gl.bindTexture(gl.TEXTURE_2D, null);
            };
            const texture = () => {
                const made = gl.createTexture();
                gl.bindTexture(gl.TEXTURE_2D, made);
                gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, width, height);
                return made;
            };
            const source = texture();
            const target = texture();
            upload(source, keys);
            const sorter = await glsort.createSorter({capacity: count, key: 'u32'});
            const all = new Uint32Array(4 * count);
            // Reading one pixel waits until the GPU is done.
            const inJavaScript = (sort) =>
                measure(() => {
                    upload(target, sort(keys));
                    read(target, 1, 1, pixel);
                });
            const row = {
                count,
                glsort: await measure(() => read(sorter.sort({texture: source, width, height}, count), 1, 1, pixel)),
                counting: await inJavaScript(countingSort),
                radix: await inJavaScript(radixSort),
                typed: await inJavaScript(typedArraySort),
                readBack: await measure(() => read(source, width, height, all)),
            };
            sorter.dispose();
            gl.deleteTexture(source);
            gl.deleteTexture(target);
            report(row);
            await turn();
        }
    } finally {
        glsort.dispose();
        gl.getExtension('WEBGL_lose_context')?.loseContext();
    }
}

export const sorts = {
    glsort: 'glsort, on the GPU',
    counting: 'counting sort, 16 bits',
    radix: 'radix sort, 32 bits',
    typed: "typed array's sort, 32 bits",
};

/** Thousands apart, as everywhere on the page. */
export const number = (value) => value.toLocaleString('en').replaceAll(',', ' ');
export const ms = (value) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0));

/** The fastest of some sorts. */
const fastest = (row, names) => names.reduce((best, name) => (row[name] < row[best] ? name : best));

/** What the times say, in words. */
export function verdict(rows) {
    const row = rows.at(-1);
    const told = (name, time = row[name]) => `${sorts[name]} (${ms(time)} ms)`;
    const winner = fastest(row, Object.keys(sorts));
    const exact = fastest(row, ['glsort', 'radix', 'typed']);
    const script = fastest(row, ['counting', 'radix', 'typed']);
    const readBack = row[script] + row.readBack;
    const texts = [
        `With ${number(row.count)} keys, the winner on this device is: ${told(winner)}.`,
        winner === 'glsort' ? '' : `glsort takes ${ms(row.glsort)} ms.`,
        winner === exact ? '' : `Of the sorts that are exact in 32 bits, the winner is: ${told(exact)}.`,
        'If the keys are on the GPU, JavaScript reads them back first. ' +
            (row.glsort < readBack
                ? `Then glsort wins against ${told(script, readBack)}.`
                : `Then glsort still loses against ${told(script, readBack)}.`),
    ];
    return texts.filter(Boolean).join(' ');
}
