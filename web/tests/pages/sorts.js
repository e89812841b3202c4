// Sorts of keys in textures, checked element by element.

import {loadGlsort} from 'glsort';
import {
    check,
    checkEqual,
    checkNoError,
    checkNoQuestions,
    checkThrows,
    floatTexture,
    makeContext,
    random,
    readTexels,
    sortedIndices,
    watchObjects,
    wordTexture,
} from './helpers.js';

const largest = 1 << Number(new URLSearchParams(location.search).get('log2') ?? 18);
const counts = [0, 1, 2, 3, 5, 16, 17, 255, 256, 257, 1000, 4095, 4097, 1 << 14, (1 << 16) + 1, 200003, 1 << 18].filter(
    (n) => n <= largest,
);

const hostileStores = [
    ['UNPACK_FLIP_Y_WEBGL', true],
    ['UNPACK_PREMULTIPLY_ALPHA_WEBGL', true],
    ['UNPACK_ROW_LENGTH', 7],
    ['UNPACK_SKIP_PIXELS', 2],
    ['UNPACK_SKIP_ROWS', 3],
    ['UNPACK_ALIGNMENT', 8],
    ['UNPACK_IMAGE_HEIGHT', 5],
    ['UNPACK_SKIP_IMAGES', 1],
    ['PACK_ROW_LENGTH', 7],
    ['PACK_SKIP_PIXELS', 2],
    ['PACK_SKIP_ROWS', 3],
    ['PACK_ALIGNMENT', 8],
];
const units = Array.from({length: 16}, (_, unit) => unit);
const capabilities = [
    'BLEND',
    'CULL_FACE',
    'DEPTH_TEST',
    'SCISSOR_TEST',
    'STENCIL_TEST',
    'RASTERIZER_DISCARD',
    'SAMPLE_COVERAGE',
    'POLYGON_OFFSET_FILL',
];

function checkOrder(gl, sorter, words, key, order, count) {
    const texels = readTexels(gl, sorter.texture, sorter.width, sorter.height);
    const expected = sortedIndices(words.subarray(0, count), key, order);
    checkEqual(expected, (i) => texels[4 * i + 1], `index of ${count} ${key}`);
    checkEqual(
        Array.from(expected, (index) => words[index]),
        (i) => texels[4 * i],
        `key of ${count} ${key}`,
    );
}

function someWords(count, seed = 1) {
    const next = random(seed);
    return Uint32Array.from({length: count}, () => (next() & 7 ? next() : next() & 0xff)); // with equal keys
}

async function sortAll(key, order, tested) {
    const gl = makeContext();
    const glsort = await loadGlsort(gl);
    const sorter = await glsort.createSorter({key, order, capacity: largest});
    const words = someWords(largest);
    words.set([0x7fc00000, 0xffc00001, 0x80000000, 0, 0x7f800000, 0xff800000]);
    const source = wordTexture(gl, words);
    for (const count of tested) {
        const texture = sorter.sort(source, count);
        check(texture === sorter.texture, 'the result is another texture');
        checkOrder(gl, sorter, words, key, order, count);
        checkNoError(gl);
    }
    glsort.dispose();
}

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** `extension`: WEBGL_lose_context. Resolves after the event of the loss. */
async function lose(extension) {
    extension.loseContext();
    await sleep(20);
}

/** Resolves after the event of the restored context. */
async function restore(gl, extension) {
    const isRestored = new Promise((resolve) =>
        gl.canvas.addEventListener('webglcontextrestored', resolve, {once: true}),
    );
    extension.restoreContext();
    await isRestored;
}

/** Runs `work(held)`. Instance i of a module comes only after `held[i]()`, and fails after `held[i](error)`. */
async function withHeldInstances(work) {
    const real = WebAssembly.instantiate;
    const held = [];
    WebAssembly.instantiate = (...given) =>
        new Promise((resolve, reject) => {
            held.push((error) => (error ? reject(error) : resolve(real.apply(WebAssembly, given))));
        });
    try {
        await work(held);
    } finally {
        WebAssembly.instantiate = real;
    }
}

/** Runs `work`, where `fetch` gives an answer of the test. */
async function withFetch(answer, work) {
    const real = window.fetch;
    window.fetch = answer;
    try {
        await work();
    } finally {
        window.fetch = real;
    }
}

/** Sets what applications leave behind, and more. Returns how all of it is asked for. */
function spoil(gl) {
    const buffer = (target) => {
        const made = gl.createBuffer();
        gl.bindBuffer(target, made);
        gl.bufferData(target, 64, gl.STATIC_DRAW);
        return made;
    };
    const vertexArray = gl.createVertexArray();
    gl.bindVertexArray(vertexArray);
    const alignment = gl.getParameter(gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    const uniforms = buffer(gl.UNIFORM_BUFFER);
    gl.bufferData(gl.UNIFORM_BUFFER, alignment + 64, gl.STATIC_DRAW);
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 0, uniforms, alignment, 64);
    for (const target of [
        gl.ARRAY_BUFFER,
        gl.COPY_READ_BUFFER,
        gl.COPY_WRITE_BUFFER,
        gl.PIXEL_PACK_BUFFER,
        gl.PIXEL_UNPACK_BUFFER,
        gl.UNIFORM_BUFFER,
    ])
        buffer(target);
    for (const [store, value] of hostileStores) gl.pixelStorei(gl[store], value);
    for (const capability of capabilities) gl.enable(gl[capability]);
    gl.disable(gl.DITHER);
    gl.cullFace(gl.FRONT_AND_BACK);
    gl.blendFunc(gl.ZERO, gl.ZERO);
    gl.stencilFunc(gl.NEVER, 0, 0);
    gl.depthFunc(gl.NEVER);
    gl.colorMask(false, true, false, true);
    gl.viewport(3, 4, 5, 6);
    gl.scissor(1, 1, 2, 2);
    for (const unit of units) {
        const sampler = gl.createSampler();
        gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        gl.bindSampler(unit, sampler);
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.bindTexture(gl.TEXTURE_2D_ARRAY, gl.createTexture());
    }
    gl.activeTexture(gl.TEXTURE2);
    const program = gl.createProgram();
    for (const [kind, text] of [
        [gl.VERTEX_SHADER, '#version 300 es\nvoid main() { gl_Position = vec4(0); }'],
        [gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}'],
    ]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, gl.createFramebuffer());
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, gl.createFramebuffer());
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
}

/** Sets the parameters with which pixels are read to their initial values. */
function packTightly(gl) {
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.pixelStorei(gl.PACK_ALIGNMENT, 4);
    for (const skipped of [gl.PACK_ROW_LENGTH, gl.PACK_SKIP_PIXELS, gl.PACK_SKIP_ROWS]) gl.pixelStorei(skipped, 0);
}

// Of uniform buffer 0.
const uniformNames = ['UNIFORM_BUFFER_BINDING', 'UNIFORM_BUFFER_START', 'UNIFORM_BUFFER_SIZE'];
const asked = [
    'ARRAY_BUFFER_BINDING',
    'COPY_READ_BUFFER_BINDING',
    'COPY_WRITE_BUFFER_BINDING',
    'PIXEL_PACK_BUFFER_BINDING',
    'PIXEL_UNPACK_BUFFER_BINDING',
    'UNIFORM_BUFFER_BINDING',
    'VERTEX_ARRAY_BINDING',
    'CURRENT_PROGRAM',
    'DRAW_FRAMEBUFFER_BINDING',
    'READ_FRAMEBUFFER_BINDING',
    'TRANSFORM_FEEDBACK_BINDING',
    'ACTIVE_TEXTURE',
    ...capabilities,
    'DITHER',
    'COLOR_WRITEMASK',
    'VIEWPORT',
    'SCISSOR_BOX',
    ...hostileStores.map(([store]) => store),
    'BLEND_SRC_RGB',
    'BLEND_DST_RGB',
    'CULL_FACE_MODE',
    'DEPTH_FUNC',
];

/** The state, with objects as they are. */
function stateOf(gl) {
    const state = new Map(asked.map((name) => [name, gl.getParameter(gl[name])]));
    for (const name of uniformNames) state.set(`${name} of index 0`, gl.getIndexedParameter(gl[name], 0));
    const active = gl.getParameter(gl.ACTIVE_TEXTURE);
    for (const unit of units) {
        gl.activeTexture(gl.TEXTURE0 + unit);
        for (const name of ['TEXTURE_BINDING_2D', 'TEXTURE_BINDING_2D_ARRAY', 'SAMPLER_BINDING'])
            state.set(`${name} of unit ${unit}`, gl.getParameter(gl[name]));
    }
    gl.activeTexture(active);
    return state;
}

function checkState(before, after, names = [...before.keys()]) {
    for (const name of names) {
        const [a, b] = [before.get(name), after.get(name)];
        const equal = a?.length === undefined ? a === b : a.every((value, i) => value === b[i]);
        check(equal, `${name} was ${a} and is ${b}`);
    }
}

export const tests = {
    'u32 ascending, every size': () => sortAll('u32', 'ascending', counts),
    'f32 descending': () => sortAll('f32', 'descending', counts.slice(-3)),
    'i32 ascending': () => sortAll('i32', 'ascending', counts.slice(-2)),

    async 'keys alone'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 5000, payload: 'none'});
        const words = someWords(5000, 3);
        sorter.sort(wordTexture(gl, words), 4999);
        const texels = readTexels(gl, sorter.texture, sorter.width, sorter.height);
        checkEqual(words.slice(0, 4999).sort(), (i) => texels[4 * i], 'key');
        glsort.dispose();
    },

    async 'state of extensions is set aside, and restored'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 1000, state: 'restore'});
        const clip = gl.getExtension('EXT_clip_control');
        const polygon = gl.getExtension('WEBGL_polygon_mode');
        const distances = gl.getExtension('WEBGL_clip_cull_distance');
        const indexed = gl.getExtension('OES_draw_buffers_indexed');
        clip?.clipControlEXT(clip.UPPER_LEFT_EXT, clip.ZERO_TO_ONE_EXT);
        polygon?.polygonModeWEBGL(gl.FRONT_AND_BACK, polygon.LINE_WEBGL);
        if (distances) gl.enable(distances.CLIP_DISTANCE1_WEBGL);
        indexed?.colorMaskiOES(1, false, true, false, true);
        const words = someWords(1000, 4);
        sorter.sort(wordTexture(gl, words), 1000);
        const masks = [0, 1].map((i) => (indexed ? `${gl.getIndexedParameter(gl.COLOR_WRITEMASK, i)}` : ''));
        if (clip) {
            check(gl.getParameter(clip.CLIP_ORIGIN_EXT) === clip.UPPER_LEFT_EXT, 'the clip origin is another');
            check(gl.getParameter(clip.CLIP_DEPTH_MODE_EXT) === clip.ZERO_TO_ONE_EXT, 'the clip depth is another');
        }
        if (polygon)
            check(gl.getParameter(polygon.POLYGON_MODE_WEBGL) === polygon.LINE_WEBGL, 'the polygon mode is another');
        if (distances) check(gl.isEnabled(distances.CLIP_DISTANCE1_WEBGL), 'the clip distance is disabled');
        if (indexed) check(masks.join(' ') === 'true,true,true,true false,true,false,true', masks.join(' '));
        checkOrder(gl, sorter, words, 'u32', 'ascending', 1000);
        checkNoError(gl);
        glsort.dispose();
        const there = Object.entries({clip, polygon, distances, indexed}).filter(([, extension]) => extension);
        return there.map(([name]) => name).join(', ') || 'no extensions';
    },

    async 'three forms of the result'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const words = someWords(3001, 5);
        const source = wordTexture(gl, words);
        for (const count of [3001, 2998, 1]) {
            const expected = sortedIndices(words.subarray(0, count), 'u32', 'descending');
            for (const [result, place] of [
                ['rg32ui', (i) => 4 * i + 1],
                ['r32ui', (i) => 4 * i],
                ['rgba32ui', (i) => i],
            ]) {
                const sorter = await glsort.createSorter({capacity: 3001, order: 'descending', result});
                sorter.sort(source, count);
                const texels = readTexels(gl, sorter.texture, sorter.width, sorter.height);
                checkEqual(expected, (i) => texels[place(i)], result);
                if (result === 'rgba32ui' && count % 4)
                    check(texels[count] === 0xffffffff, `index ${count} is ${texels[count]}, not 0xffffffff`);
                sorter.dispose();
            }
        }
        checkNoError(gl);
        glsort.dispose();
    },

    async 'a channel of a float texture'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({key: 'f32', source: 'float', capacity: 4000});
        const next = random(9);
        const floats = Float32Array.from({length: 16000}, () => (next() - 2 ** 31) / 1e6);
        const source = floatTexture(gl, floats);
        for (const channel of [0, 2, 3]) {
            sorter.sort({...source, channel}, 3999);
            const words = new Uint32Array(Float32Array.from({length: 3999}, (_, i) => floats[4 * i + channel]).buffer);
            checkOrder(gl, sorter, words, 'f32', 'ascending', 3999);
        }
        checkNoError(gl);
        glsort.dispose();
    },

    async 'a float texture whose filters make it incomplete'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({key: 'f32', source: 'float', capacity: 500});
        const next = random(10);
        const floats = Float32Array.from({length: 2000}, () => (next() - 2 ** 31) / 1e6);
        const source = floatTexture(gl, floats);
        gl.bindTexture(gl.TEXTURE_2D, source.texture);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
        gl.bindTexture(gl.TEXTURE_2D, null);
        sorter.sort({...source, channel: 1}, 500);
        const words = new Uint32Array(Float32Array.from({length: 500}, (_, i) => floats[4 * i + 1]).buffer);
        checkOrder(gl, sorter, words, 'f32', 'ascending', 500);
        checkNoError(gl);
        glsort.dispose();
    },

    async 'hostile state, which reset sets to the initial values'() {
        const fresh = stateOf(makeContext());
        const gl = makeContext({stencil: true});
        const glsort = await loadGlsort(gl);
        const words = someWords(2000, 7);
        const source = wordTexture(gl, words);
        const unchanged = [
            ...hostileStores.map(([store]) => store),
            ...uniformNames.map((name) => `${name} of index 0`),
            'SCISSOR_BOX',
            'BLEND_SRC_RGB',
            'BLEND_DST_RGB',
            'CULL_FACE_MODE',
            'DEPTH_FUNC',
        ];
        const checkReset = async (work) => {
            spoil(gl);
            const before = stateOf(gl);
            await work();
            const after = stateOf(gl);
            checkState(before, after, unchanged);
            checkState(
                fresh,
                after,
                [...fresh.keys()].filter((name) => !unchanged.includes(name)),
            );
        };
        let sorter;
        await checkReset(async () => {
            sorter = await glsort.createSorter({capacity: 2000});
        });
        await checkReset(() => sorter.sort(source, 2000));
        checkNoError(gl);
        packTightly(gl);
        checkOrder(gl, sorter, words, 'u32', 'ascending', 2000);
        glsort.dispose();
    },

    async 'hostile state, which restore brings back'() {
        const gl = makeContext({stencil: true});
        const glsort = await loadGlsort(gl);
        const words = someWords(2000, 7);
        const source = wordTexture(gl, words);
        spoil(gl);
        const before = stateOf(gl);
        const sorter = await glsort.createSorter({capacity: 2000, state: 'restore'});
        checkState(before, stateOf(gl));
        sorter.sort(source, 2000);
        checkState(before, stateOf(gl));
        checkNoError(gl);
        packTightly(gl);
        checkOrder(gl, sorter, words, 'u32', 'ascending', 2000);
        glsort.dispose();
    },

    async 'a lost context'() {
        const gl = makeContext();
        gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 3000, result: 'rg32ui'});
        const words = someWords(3000, 11);
        sorter.sort(wordTexture(gl, words), 3000);
        const extension = gl.getExtension('WEBGL_lose_context');
        extension.loseContext();
        await checkThrows(() => sorter.sort({}, 1), 'sort', 'the context is lost');
        await checkThrows(() => glsort.createSorter({capacity: 1}), 'createSorter', 'the context is lost');
        await new Promise((resolve) => setTimeout(resolve, 20));
        check(!sorter.isReady, 'the sorter is ready in a lost context');
        extension.restoreContext();
        await sorter.ready;
        check(sorter.isReady, 'the sorter is not ready after the context was restored');
        sorter.sort(wordTexture(gl, words), 3000);
        checkOrder(gl, sorter, words, 'u32', 'ascending', 3000);
        checkNoError(gl);

        // A loss while something is constructed.
        const late = glsort.createSorter({capacity: 1 << 16});
        extension.loseContext();
        await new Promise((resolve) => setTimeout(resolve, 20));
        extension.restoreContext();
        const second = await late;
        check(second.isReady, 'the late sorter is not ready');
        second.sort(wordTexture(gl, words), 3000);
        checkOrder(gl, second, words, 'u32', 'ascending', 3000);

        // One loss soon after another.
        for (const time of [0, 1, 5, 20]) {
            extension.loseContext();
            await new Promise((resolve) => setTimeout(resolve, 20));
            extension.restoreContext();
            await new Promise((resolve) => setTimeout(resolve, time));
        }
        await sorter.ready;
        sorter.sort(wordTexture(gl, words), 3000);
        checkOrder(gl, sorter, words, 'u32', 'ascending', 3000);

        // What waits for a context that does not come back.
        extension.loseContext();
        await new Promise((resolve) => setTimeout(resolve, 20));
        const ready = sorter.ready;
        glsort.dispose();
        await checkThrows(() => ready, 'ready', 'disposed of');
    },

    async 'a lost context, and what is created as soon as the context is restored'() {
        const gl = makeContext();
        const created = [];
        let glsort = null;
        const create = () => created.push(glsort.createSorter({capacity: 3000}));
        gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        // Before the library's own listener, and after it.
        gl.canvas.addEventListener('webglcontextrestored', () => create());
        glsort = await loadGlsort(gl);
        gl.canvas.addEventListener('webglcontextrestored', () => create());
        const extension = gl.getExtension('WEBGL_lose_context');
        await lose(extension);
        await restore(gl, extension);
        const sorters = await Promise.all(created);
        check(sorters.length === 2, `${sorters.length} sorters`);
        const words = someWords(3000, 12);
        const source = wordTexture(gl, words);
        for (const sorter of sorters) {
            sorter.sort(source, 3000);
            checkOrder(gl, sorter, words, 'u32', 'ascending', 3000);
        }
        checkNoError(gl);
        glsort.dispose();
    },

    async 'a lost context, which is lost again before the module starts'() {
        const gl = makeContext();
        gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 3000});
        const words = someWords(3000, 14);
        const extension = gl.getExtension('WEBGL_lose_context');
        const checkSorter = async () => {
            await sorter.ready;
            check(sorter.isReady, 'the sorter is not ready');
            sorter.sort(wordTexture(gl, words), 3000);
            checkOrder(gl, sorter, words, 'u32', 'ascending', 3000);
        };
        await withHeldInstances(async (held) => {
            // The instance for the first restored context comes last.
            for (let i = 0; i < 2; ++i) {
                await lose(extension);
                await restore(gl, extension);
            }
            held[1]();
            await sleep(5);
            held[0]();
            await sleep(5);
            await checkSorter();
            // The instance comes while the context is lost again.
            await lose(extension);
            await restore(gl, extension);
            await lose(extension);
            held[2]();
            await sleep(5);
            check(!sorter.isReady, 'ready in a lost context');
            await restore(gl, extension);
            held[3]();
            await checkSorter();
            // The instance may come before the event of the loss.
            await lose(extension);
            await restore(gl, extension);
            held[4]();
            await lose(extension);
            await restore(gl, extension);
            held[5]();
            await checkSorter();
        });
        glsort.dispose();
    },

    async 'a lost context, after which the module does not start'() {
        const gl = makeContext();
        gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 300});
        const extension = gl.getExtension('WEBGL_lose_context');
        const words = someWords(300, 15);
        await withHeldInstances(async (held) => {
            await lose(extension);
            await restore(gl, extension);
            const told = Promise.all([
                checkThrows(() => sorter.ready, 'restored context', 'no pages left'),
                checkThrows(() => glsort.createSorter({capacity: 8}), 'restored context', 'no pages left'),
            ]);
            held[0](new Error('no pages left'));
            await told;
            await checkThrows(() => sorter.sort({}, 1), 'no pages left');
            await checkThrows(() => glsort.createSorter({capacity: 8}), 'no pages left');
            await lose(extension);
            await restore(gl, extension);
            held[1]();
            const second = await glsort.createSorter({capacity: 300});
            second.sort(wordTexture(gl, words), 300);
            checkOrder(gl, second, words, 'u32', 'ascending', 300);
        });
        glsort.dispose();
    },

    async 'a context that is lost while the library is loaded'() {
        const gl = makeContext();
        const loading = loadGlsort(gl);
        gl.getExtension('WEBGL_lose_context').loseContext();
        await checkThrows(() => loading, 'loadGlsort', 'the context is lost');
    },

    async 'errors name the argument, its value and the limit'() {
        const gl = makeContext();
        await checkThrows(() => loadGlsort(null), 'gl must be a WebGL2RenderingContext');
        await checkThrows(() => loadGlsort(gl, {module: '/nowhere.wasm'}), '/nowhere.wasm', '404');
        await checkThrows(() => loadGlsort(gl, {module: '/README.md'}), '/README.md is no WebAssembly');
        await withFetch(
            () => Promise.reject(new TypeError('Failed to fetch')),
            () => checkThrows(() => loadGlsort(gl, {module: '/far.wasm'}), '/far.wasm cannot be loaded', 'Failed'),
        );
        await withFetch(
            async () => new Response('Dear reader', {headers: {'content-type': 'application/wasm'}}),
            () => checkThrows(() => loadGlsort(gl, {module: '/letter.wasm'}), '/letter.wasm is no WebAssembly'),
        );
        await checkThrows(() => loadGlsort(gl, {module: new Uint8Array(8)}), 'module is no WebAssembly');
        await checkThrows(() => loadGlsort(gl, {module: 5}), 'module is 5', 'URL');
        await checkThrows(() => loadGlsort(gl, {wasm: '/dist/glsort.wasm'}), 'options.wasm is not known', 'module');
        await checkThrows(() => loadGlsort(gl, null), 'options is null');
        const glsort = await loadGlsort(gl);
        const side = gl.getParameter(gl.MAX_TEXTURE_SIZE);
        await checkThrows(() => glsort.createSorter(8), 'createSorter', 'options is 8');
        await checkThrows(
            () => glsort.createSorter({capacity: 0}),
            'createSorter',
            'capacity is 0',
            '1',
            String(side * side),
        );
        await checkThrows(() => glsort.createSorter({capacity: 8, key: 'u64'}), "key is 'u64'", "'u32', 'i32', 'f32'");
        await checkThrows(() => glsort.createSorter({capacity: 8, sort: 1}), 'options.sort', 'capacity');
        await checkThrows(
            () => glsort.createSorter({capacity: 8, payload: 'none', result: 'rg32ui'}),
            "result is 'rg32ui'",
        );
        const sorter = await glsort.createSorter({capacity: 8});
        const source = wordTexture(gl, new Uint32Array(9), 3);
        await checkThrows(() => sorter.sort(source, 9), 'count is 9', '8');
        await checkThrows(() => sorter.sort({...source, texture: null}, 8), 'source.texture is null', 'WebGLTexture');
        await checkThrows(() => sorter.sort({...source, height: 2}, 8), '3x2', '8');
        await checkThrows(() => sorter.sort({...source, channel: 1}, 8), 'channel is 1');
        sorter.dispose();
        await checkThrows(() => sorter.sort(source, 8), 'disposed');
        glsort.dispose();
        await checkThrows(() => glsort.createSorter({capacity: 8}), 'disposed');
        checkNoError(gl);
    },

    async 'options that are undefined count as missing'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const all = ['key', 'order', 'payload', 'source', 'result', 'state'];
        const {options} = await glsort.createSorter({
            capacity: 8,
            ...Object.fromEntries(all.map((name) => [name, undefined])),
        });
        const found = all.map((name) => options[name]).join();
        check(found === 'u32,ascending,index,r32ui,rg32ui,reset', found);
        glsort.dispose();
    },

    async 'a device without memory, told after an error of the page'() {
        const gl = makeContext();
        const alive = watchObjects(gl);
        const glsort = await loadGlsort(gl);
        const errors = [gl.INVALID_ENUM, gl.OUT_OF_MEMORY, gl.INVALID_VALUE];
        gl.getError = () => errors.shift() ?? gl.NO_ERROR;
        await checkThrows(() => glsort.createSorter({capacity: 300}), 'createSorter', 'no memory for this capacity');
        delete gl.getError;
        check(errors.length === 0, `${errors.length} errors were left`);
        check(glsort.members.size === 0, 'what has failed would be built again after a lost context');
        check(alive.size === 0, `not deleted: ${[...alive.values()].join(', ')}`);
        glsort.dispose();
    },

    async 'the function of glsort/three is called after each reset'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const source = wordTexture(gl, someWords(100));
        let resets = 0;
        glsort.afterReset = () => ++resets;
        const sorter = await glsort.createSorter({capacity: 100});
        check(resets > 2, `${resets} resets in a construction`);
        resets = 0;
        sorter.sort(source, 100);
        check(resets === 1, `${resets} resets in a call`);
        resets = 0;
        (await glsort.createSorter({capacity: 100, state: 'restore'})).sort(source, 100);
        check(resets === 0, `${resets} resets where the state is restored`);
        glsort.dispose();
    },

    async 'numbers of objects are given again'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const {webgl} = glsort.instance;
        const [first, second] = [gl.createTexture(), gl.createTexture()];
        const number = webgl.nameOf(first);
        check(webgl.nameOf(first) === number && webgl.objectOf(number) === first, 'the texture has no number');
        webgl.forget(first);
        check(webgl.nameOf(second) === number, `the number of the second texture is not ${number}`);
        check(webgl.objectOf(number) === second, 'the number leads to another texture');
        glsort.dispose();
    },

    async 'dispose ends a construction, and deletes all that was made'() {
        const gl = makeContext();
        const alive = watchObjects(gl);
        const glsort = await loadGlsort(gl);
        const parallel = gl.getExtension('KHR_parallel_shader_compile');
        const late = glsort.createSorter({capacity: 300, result: 'rgba32ui', key: 'f32', source: 'float'});
        const [sorter] = glsort.members;
        // The shaders around the sort are never compiled.
        const ask = gl.getProgramParameter.bind(gl);
        gl.getProgramParameter = (program, name) =>
            !(sorter.passes && name === parallel.COMPLETION_STATUS_KHR) && ask(program, name);
        while (!sorter.passes) await sleep(1);
        sorter.dispose();
        await checkThrows(() => late, 'createSorter', 'disposed of');
        // The GPU is never done.
        const isAsked = new Promise((resolve) => {
            gl.getSyncParameter = () => {
                resolve();
                return gl.UNSIGNALED;
            };
        });
        const second = glsort.createSorter({capacity: 300});
        await isAsked;
        glsort.dispose();
        await checkThrows(() => second, 'createSorter', 'disposed of');
        check(alive.size === 0, `not deleted: ${[...alive.values()].join(', ')}`);
    },

    async 'dispose deletes all that was made'() {
        const gl = makeContext();
        const alive = watchObjects(gl);
        const glsort = await loadGlsort(gl);
        const first = await glsort.createSorter({capacity: 300, result: 'rgba32ui', key: 'f32', source: 'float'});
        await glsort.createSorter({capacity: 300});
        check(alive.size > 20, `only ${alive.size} objects`);
        first.dispose();
        glsort.dispose();
        check(alive.size === 0, `not deleted: ${[...alive.values()].join(', ')}`);
        checkNoError(gl);
    },

    async 'a call asks the context nothing'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const words = wordTexture(gl, someWords(1 << 14));
        const floats = floatTexture(gl, new Float32Array(4 << 14));
        for (const result of ['rg32ui', 'r32ui', 'rgba32ui'])
            for (const [source, texture] of [
                ['r32ui', words],
                ['float', floats],
            ]) {
                const sorter = await glsort.createSorter({key: 'f32', source, result, capacity: 1 << 14});
                checkNoQuestions(gl, () => {
                    // Also the first call, and one of another count.
                    for (const count of [1 << 14, 1 << 14, 777]) sorter.sort(texture, count);
                });
                sorter.dispose();
            }
        checkNoError(gl);
        glsort.dispose();
    },

    async 'the test of questions finds them'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const sorter = await glsort.createSorter({capacity: 1000, state: 'restore'});
        const source = wordTexture(gl, someWords(1000));
        await checkThrows(() => checkNoQuestions(gl, () => sorter.sort(source, 1000)), 'calls that wait: getParameter');
        glsort.dispose();
    },

    async 'two contexts at once'() {
        const words = someWords(1000, 13);
        const sorters = await Promise.all(
            [0, 1].map(async () => {
                const gl = makeContext();
                return {
                    gl,
                    source: wordTexture(gl, words),
                    sorter: await (await loadGlsort(gl)).createSorter({capacity: 1000}),
                };
            }),
        );
        for (const {source, sorter} of sorters) sorter.sort(source, 1000);
        for (const {gl, sorter} of sorters) checkOrder(gl, sorter, words, 'u32', 'ascending', 1000);
    },
};
