// What the tests in the page share.

const parameters = new URLSearchParams(location.search);

/** A new context. `?attachments=N` makes the context one of a device with so few. */
export function makeContext(attributes = {}) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 32;
    const gl = canvas.getContext('webgl2', {antialias: false, ...attributes});
    const few = Number(parameters.get('attachments') ?? 8);
    if (few < 8) {
        const real = gl.getParameter.bind(gl);
        gl.getParameter = (name) => ([gl.MAX_COLOR_ATTACHMENTS, gl.MAX_DRAW_BUFFERS].includes(name) ? few : real(name));
        const draw = gl.drawBuffers.bind(gl);
        gl.drawBuffers = (buffers) => {
            if (buffers.length > few) throw new Error(`${buffers.length} attachments on a device with ${few}`);
            draw(buffers);
        };
    }
    return gl;
}

/** Numbers from a seed: the same in every run. */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state;
    };
}

/** A texture with a word for each element, in rows of another width than the library's. */
export function wordTexture(gl, words, width = Math.max(1, Math.ceil(Math.sqrt(words.length)) + 3)) {
    const height = Math.max(1, Math.ceil(words.length / width));
    const texels = new Uint32Array(width * height);
    texels.set(words);
    return upload(gl, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, texels, width, height);
}

/** A texture of four floats for each element. */
export function floatTexture(gl, floats, width = Math.max(1, Math.ceil(Math.sqrt(floats.length / 4)) + 1)) {
    const height = Math.max(1, Math.ceil(floats.length / 4 / width));
    const texels = new Float32Array(4 * width * height);
    texels.set(floats);
    return upload(gl, gl.RGBA32F, gl.RGBA, gl.FLOAT, texels, width, height);
}

function upload(gl, internal, format, type, texels, width, height) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, texels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindTexture(gl.TEXTURE_2D, null);
    return {texture, width, height};
}

/** All texels of a texture of unsigned integers, four words each. */
export function readTexels(gl, texture, width, height) {
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const words = new Uint32Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(framebuffer);
    return words;
}

/** A number with the order of the keys. */
const codes = {
    u32: (word) => word,
    i32: (word) => word ^ 0x80000000,
    // 0 for -Infinity. NaNs come last, those with a sign behind the others.
    f32: (word) => (word >>> 31 ? ~word : word | 0x80000000) - 0x007fffff,
};

/** The indices of `words` in the order of a stable sort. */
export function sortedIndices(words, key = 'u32', order = 'ascending') {
    const code = Uint32Array.from(words, (word) => (order === 'ascending' ? codes[key](word) : ~codes[key](word)));
    return Uint32Array.from(words.keys()).sort((a, b) => code[a] - code[b] || a - b);
}

export function check(holds, message) {
    if (!holds) throw new Error(message);
}

/** Checks that `found(i)` is `expected[i]` for all i. */
export function checkEqual(expected, found, what) {
    for (let i = 0; i < expected.length; ++i)
        if (expected[i] !== found(i)) throw new Error(`${what}: place ${i} has ${found(i)}, expected ${expected[i]}`);
}

export async function checkThrows(work, ...parts) {
    try {
        await work();
    } catch (error) {
        for (const part of parts) check(error.message.includes(part), `the message lacks "${part}": ${error.message}`);
        return;
    }
    throw new Error(`nothing was thrown; expected: ${parts.join(' ... ')}`);
}

export function checkNoError(gl) {
    const error = gl.getError();
    check(error === 0, `OpenGL error 0x${error.toString(16)}`);
}

/** Counts the objects of a context that are made from now on. Returns those that are alive, with their kinds. */
export function watchObjects(gl) {
    const alive = new Map();
    const kinds = [
        'Buffer',
        'Framebuffer',
        'Program',
        'Sampler',
        'Shader',
        'Texture',
        'TransformFeedback',
        'VertexArray',
    ];
    for (const kind of kinds) {
        const [make, remove] = [gl[`create${kind}`].bind(gl), gl[`delete${kind}`].bind(gl)];
        gl[`create${kind}`] = (...given) => {
            const made = make(...given);
            alive.set(made, kind);
            return made;
        };
        gl[`delete${kind}`] = (object) => {
            alive.delete(object);
            remove(object);
        };
    }
    return alive;
}

// Answered in the page's own process.
const answeredHere = ['getExtension', 'getSupportedExtensions', 'getContextAttributes', 'isContextLost'];
// Known to wait for the GPU process, in Chromium or in Firefox. Not a complete list: all questions are refused.
const knownToWait = [
    'getError',
    'getParameter',
    'getBufferParameter',
    'getProgramParameter',
    'getShaderParameter',
    'getUniformLocation',
    'getSyncParameter',
    'getBufferSubData',
    'isEnabled',
    'isTexture',
    'isBuffer',
    'isProgram',
    'checkFramebufferStatus',
    'clientWaitSync',
    'readPixels',
    'finish',
];

/** The functions of a context that ask something or wait. */
function questionsOf(gl) {
    const names = [];
    for (const name in gl)
        if (/^(get|is|check|read|finish|clientWaitSync|waitSync)/.test(name) && typeof gl[name] === 'function')
            names.push(name);
    for (const name of knownToWait) check(names.includes(name), `${name} is not among the questions`);
    return names.filter((name) => !answeredHere.includes(name));
}

/** Checks that `work` makes no call that could wait for the GPU process. */
export function checkNoQuestions(gl, work) {
    const calls = [];
    const real = questionsOf(gl).map((name) => [name, gl[name]]);
    for (const [name, call] of real)
        gl[name] = (...given) => {
            calls.push(name);
            return call.apply(gl, given);
        };
    try {
        work();
    } finally {
        for (const [name, call] of real) gl[name] = call;
    }
    check(calls.length === 0, `calls that wait: ${calls.join(', ')}`);
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** The number below which a quarter of the numbers lies. */
export const quarter = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 2];
