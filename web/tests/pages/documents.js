// Runs the examples of the documents: blocks of JavaScript and GLSL below a mark such as <!-- first example -->.

import * as THREE from 'three';
import {loadGlsort} from 'glsort';
import {disposeGlsort, SortedOrder} from 'glsort/three';
import {
    check,
    checkEqual,
    checkNoError,
    floatTexture,
    random,
    readTexels,
    sortedIndices,
    wordTexture,
} from './helpers.js';
import {checkDifferences, differences} from './pictures.js';

const guide = '/docs/guide/in-the-browser.md';
const readme = '/README.md';

const textOf = async (path) => (await fetch(path)).text();

/** The text of a block. */
async function blockOf(document, name) {
    const found = (await textOf(document)).match(
        new RegExp(`<!-- ${name} example -->\n\`\`\`(js|glsl)\n([^]*?)\`\`\``),
    );
    check(found, `${document} has no block marked <!-- ${name} example -->`);
    return found[2];
}

/** Runs a block as a module, where the members of `given` are variables. Returns the block's own constants. */
async function runBlock(document, name, given) {
    const block = await blockOf(document, name);
    const own = [...block.matchAll(/^const (?:(\w+)|\{([^}]*)\})/gm)].flatMap(
        ([, one, several]) => one ?? several.split(', '),
    );
    window.given = given;
    const text = `const {${Object.keys(given)}} = window.given;\n${block}\nexport {${own}};`;
    const url = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
    try {
        return await import(url);
    } finally {
        URL.revokeObjectURL(url);
    }
}

function makeCanvas() {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 128;
    return canvas;
}

const floats = (count, seed) => {
    const next = random(seed);
    return Float32Array.from({length: count}, () => 4 * (next() / 2 ** 32) - 2);
};

/** A canvas with depths, as the first examples expect. */
function makeDepths() {
    const canvas = makeCanvas();
    const gl = canvas.getContext('webgl2');
    const words = new Uint32Array(floats(512 * 256, 3).buffer);
    return {canvas, gl, words, depths: wordTexture(gl, words, 512).texture};
}

/** Runs a first example. */
async function firstSort(document) {
    const made = makeDepths();
    const {canvas, depths, gl, words} = made;
    const {sorter, order, glsort} = await runBlock(document, 'first', {canvas, depths});
    const expected = sortedIndices(words.subarray(0, 100000), 'f32', 'descending');
    check(order === sorter.texture, 'the order is another texture');
    const texels = readTexels(gl, order, sorter.width, sorter.height);
    checkEqual(expected, (i) => texels[4 * i + 1], 'index');
    checkNoError(gl);
    return {...made, sorter, order, glsort, expected};
}

function makeScene() {
    const canvas = makeCanvas();
    const renderer = new THREE.WebGLRenderer({canvas, antialias: false, preserveDrawingBuffer: true});
    const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
    return {canvas, renderer, camera, scene: new THREE.Scene(), ...cloud()};
}

function cloud(count = 20000) {
    return {
        positions: new THREE.BufferAttribute(floats(3 * count, 5), 3),
        colors: new THREE.BufferAttribute(
            floats(4 * count, 6).map((value, i) => (i % 4 === 3 ? 0.7 : Math.abs(value) / 2)),
            4,
        ),
    };
}

/** Checks the picture of an object. */
function checkPicture(renderer, scene, camera, object, positions, stride) {
    camera.position.set(3, 2, 5);
    camera.lookAt(0, 0, 0);
    checkDifferences(differences(renderer, scene, object, camera, positions, stride), 0.02);
    checkNoError(renderer.getContext());
}

/** Two pictures of the animation, by the block's own loop. */
async function pictures(renderer) {
    const {frame} = renderer.info.render;
    while (renderer.info.render.frame < frame + 2) await new Promise(requestAnimationFrame);
    renderer.setAnimationLoop(null);
}

async function finish(renderer) {
    await disposeGlsort(renderer);
    renderer.dispose();
}

/** Text of a PLY file with points. */
function pointsFile(positions, colors) {
    const lines = ['ply', 'format ascii 1.0', `element vertex ${positions.count}`];
    for (const axis of ['x', 'y', 'z']) lines.push(`property float ${axis}`);
    for (const color of ['red', 'green', 'blue']) lines.push(`property uchar ${color}`);
    lines.push('end_header');
    for (let i = 0; i < positions.count; ++i) {
        const place = [0, 1, 2].map((axis) => positions.getComponent(i, axis));
        lines.push([...place, ...[0, 1, 2].map((c) => Math.round(255 * colors.getComponent(i, c)))].join(' '));
    }
    return `${lines.join('\n')}\n`;
}

/** Runs `work`, where `fetch` of a file gives an answer of the test. */
async function withFile(name, answer, work) {
    const real = window.fetch;
    const isFile = (request) => new URL(request.url ?? request, location.href).pathname.endsWith(`/${name}`);
    window.fetch = (request, ...rest) => (isFile(request) ? answer(real) : real(request, ...rest));
    try {
        return await work();
    } finally {
        window.fetch = real;
    }
}

const guideTests = {
    async first() {
        const {glsort} = await firstSort(guide);
        glsort.dispose();
    },

    async place() {
        const {gl, order, sorter, expected, glsort} = await firstSort(guide);
        const program = gl.createProgram();
        const vertex = `#version 300 es
            ${await blockOf(guide, 'place')}
            flat out uint found;
            void main() { found = element_at(gl_VertexID); }`;
        for (const [kind, text] of [
            [gl.VERTEX_SHADER, vertex],
            [gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}'],
        ]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        gl.transformFeedbackVaryings(program, ['found'], gl.SEPARATE_ATTRIBS);
        gl.linkProgram(program);
        check(gl.getProgramParameter(program, gl.LINK_STATUS), gl.getProgramInfoLog(program));
        gl.useProgram(program);
        gl.uniform1i(gl.getUniformLocation(program, 'width'), sorter.width);
        gl.bindTexture(gl.TEXTURE_2D, order);
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
        gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 4 * expected.length, gl.STATIC_READ);
        gl.enable(gl.RASTERIZER_DISCARD);
        gl.beginTransformFeedback(gl.POINTS);
        gl.drawArrays(gl.POINTS, 0, expected.length);
        gl.endTransformFeedback();
        const elements = new Uint32Array(expected.length);
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, elements);
        checkEqual(expected, (i) => elements[i], 'element');
        checkNoError(gl);
        glsort.dispose();
    },

    async scene() {
        const gl = makeCanvas().getContext('webgl2');
        const glsort = await loadGlsort(gl);
        const count = 50000;
        const places = floats(4 * count, 8).map((value, i) => (i % 4 === 3 ? 1 : value));
        const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
        camera.position.z = 3;
        camera.updateMatrixWorld();
        const {order, scene} = await runBlock(guide, 'scene', {
            glsort,
            positions: floatTexture(gl, places, 256).texture,
            viewMatrix: camera.matrixWorldInverse.elements,
            projectionMatrix: camera.projectionMatrix.elements,
        });
        const items = readTexels(gl, order, scene.width, scene.height).filter((_, i) => i % 4 === 0);
        const visible = items.indexOf(0xffffffff);
        check(visible > count / 10 && visible < count, `${visible} of ${count} are visible`);
        for (let i = 1; i < visible; ++i)
            check(
                places[4 * items[i] + 2] >= places[4 * items[i - 1] + 2] - 1e-6,
                `place ${i} is farther than the one before`,
            );
        checkNoError(gl);
        glsort.dispose();
    },

    async points() {
        const {positions, colors} = cloud();
        const {renderer, scene, camera, points} = await runBlock(guide, 'points', {
            canvas: makeCanvas(),
            positions,
            colors,
        });
        await pictures(renderer);
        checkPicture(renderer, scene, camera, points, positions.array, 3);
        await finish(renderer);
    },

    async splats() {
        const {renderer, scene, camera} = makeScene();
        const {splats, bytes} = await withFile(
            'planet.ply',
            (real) => real('/examples/splats/planet.ply'),
            () => runBlock(guide, 'splats', {renderer, scene}),
        );
        const {positions} = (await import('glsort/three')).parsePly(bytes);
        checkPicture(renderer, scene, camera, splats, positions, 4);
        await finish(renderer);
    },

    async ply_points() {
        const {renderer, scene, camera, positions, colors} = makeScene();
        const {points} = await withFile(
            'points.ply',
            () => Promise.resolve(new Response(pointsFile(positions, colors))),
            () => runBlock(guide, 'ply_points', {renderer}),
        );
        scene.add(points);
        checkPicture(renderer, scene, camera, points, positions.array, 3);
        await finish(renderer);
    },

    async material() {
        const {renderer, scene, camera, positions} = makeScene();
        const given = {renderer, scene, THREE, positions};
        const {order, material, points} = await runBlock(guide, 'material', given);
        check(order instanceof SortedOrder, 'no order');
        order.update(camera, points);
        renderer.render(scene, camera);
        check(renderer.info.render.points === order.count, `${renderer.info.render.points} points were drawn`);
        // In the document all elements have one colour. In any other picture the order shows.
        material.needsUpdate = true;
        material.fragmentShader = 'void main() { gl_FragColor = vec4(fract(20.0 * gl_FragCoord.z), 0.5, 0.2, 0.5); }';
        const object = Object.assign(Object.create(points), {order, update: (eye) => order.update(eye, points)});
        checkPicture(renderer, scene, camera, object, positions.array, 3);
        await finish(renderer);
    },

    async lost() {
        const made = await firstSort(guide);
        const {canvas, gl, sorter, glsort, words, expected} = made;
        let drawn;
        const isDrawn = new Promise((resolve) => {
            drawn = resolve;
        });
        const given = {
            canvas,
            sorter,
            draw: drawn,
            makeTextures: () => {
                made.depths = wordTexture(gl, words, 512).texture;
            },
        };
        await runBlock(guide, 'lost', given);
        const extension = gl.getExtension('WEBGL_lose_context');
        extension.loseContext();
        await new Promise((resolve) => setTimeout(resolve, 50));
        check(!sorter.isReady, 'ready in a lost context');
        extension.restoreContext();
        await isDrawn;
        const order = sorter.sort({texture: made.depths, width: 512, height: 256}, 100000);
        const texels = readTexels(gl, order, sorter.width, sorter.height);
        checkEqual(expected, (i) => texels[4 * i + 1], 'index');
        glsort.dispose();
    },
};

const readmeTests = {
    async first() {
        const {glsort} = await firstSort(readme);
        glsort.dispose();
    },

    async points() {
        const {renderer, scene, camera, positions, colors} = makeScene();
        const {points} = await runBlock(readme, 'points', {renderer, scene, camera, positions, colors});
        await pictures(renderer);
        checkPicture(renderer, scene, camera, points, positions.array, 3);
        await finish(renderer);
    },
};

/** Each block has a mark, and a test. */
async function checkMarks(document, tests) {
    const text = await textOf(document);
    const blocks = text.match(/^```(js|glsl)$/gm).length;
    const marks = [...text.matchAll(/<!-- (\w+) example -->\n```(?:js|glsl)\n/g)].map(([, name]) => name);
    check(
        marks.length === blocks,
        `${document} has ${blocks} blocks, and ${marks.length} marks such as <!-- first example -->`,
    );
    check(
        marks.sort().join() === Object.keys(tests).sort().join(),
        `${document} has ${marks}, and there are tests of ${Object.keys(tests)}`,
    );
}

export const tests = {
    async 'each block of JavaScript and GLSL has a test'() {
        await checkMarks(guide, guideTests);
        await checkMarks(readme, readmeTests);
    },
    ...Object.fromEntries(Object.entries(guideTests).map(([name, test]) => [`guide, ${name}`, test])),
    ...Object.fromEntries(Object.entries(readmeTests).map(([name, test]) => [`README, ${name}`, test])),
};
