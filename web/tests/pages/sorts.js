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
];
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
    for (const unit of [0, 1, 2, 3]) {
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
    const active = gl.getParameter(gl.ACTIVE_TEXTURE);
    for (const unit of [0, 1, 2, 3]) {
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

    async 'hostile state, which reset sets to the initial values'() {
        const fresh = stateOf(makeContext());
        const gl = makeContext({stencil: true});
        const glsort = await loadGlsort(gl);
        const words = someWords(2000, 7);
        const source = wordTexture(gl, words);
        spoil(gl);
        const sorter = await glsort.createSorter({capacity: 2000});
        const unchanged = [
            'UNPACK_ROW_LENGTH',
            'UNPACK_SKIP_PIXELS',
            'UNPACK_SKIP_ROWS',
            'UNPACK_ALIGNMENT',
            'UNPACK_IMAGE_HEIGHT',
            'UNPACK_SKIP_IMAGES',
            'UNPACK_FLIP_Y_WEBGL',
            'UNPACK_PREMULTIPLY_ALPHA_WEBGL',
            'SCISSOR_BOX',
            'BLEND_SRC_RGB',
            'BLEND_DST_RGB',
            'CULL_FACE_MODE',
            'DEPTH_FUNC',
        ];
        spoil(gl);
        sorter.sort(source, 2000);
        checkState(
            fresh,
            stateOf(gl),
            [...fresh.keys()].filter((name) => !unchanged.includes(name)),
        );
        checkNoError(gl);
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
        gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
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

    async 'errors name the argument, its value and the limit'() {
        const gl = makeContext();
        await checkThrows(() => loadGlsort(null), 'gl must be a WebGL2RenderingContext');
        await checkThrows(() => loadGlsort(gl, {module: '/nowhere.wasm'}), '/nowhere.wasm', '404');
        await checkThrows(() => loadGlsort(gl, {module: '/README.md'}), '/README.md is no WebAssembly');
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
