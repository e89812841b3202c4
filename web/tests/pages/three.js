// Pictures by three.js in GPU order, against pictures of the same objects in an order that JavaScript has found.

import * as THREE from 'three';
import {disposeGlsort, glsortOf, parsePly, SortedOrder, SortedPoints, SortedQuads, SortedSplats} from 'glsort/three';
import {
    check,
    checkEqual,
    checkNoError,
    checkNoQuestions,
    checkThrows,
    random,
    readTexels,
    watchObjects,
} from './helpers.js';
import {checkDifferences, difference, differences, pixels} from './pictures.js';
import {syntheticSplats, writePly} from '../../site/splats.js';

const side = 200;

function makeRenderer(parameters = {}) {
    const renderer = new THREE.WebGLRenderer({antialias: false, preserveDrawingBuffer: true, ...parameters});
    renderer.setPixelRatio(1);
    renderer.setSize(side, side);
    renderer.setClearColor(0x202028);
    return renderer;
}

/** A page may have few contexts. */
async function release(renderer) {
    checkNoError(renderer.getContext());
    await disposeGlsort(renderer);
    renderer.dispose();
    renderer.forceContextLoss();
}

/** Loses the context, and restores it. */
async function loseContext(renderer, meanwhile = () => {}) {
    const log = console.log;
    console.log = () => {}; // three.js tells of the loss.
    const restored = new Promise((resolve) =>
        renderer.domElement.addEventListener('webglcontextrestored', resolve, {once: true}),
    );
    renderer.forceContextLoss();
    await new Promise((resolve) => setTimeout(resolve, 50));
    try {
        meanwhile();
    } finally {
        renderer.forceContextRestore();
        await restored;
        console.log = log;
    }
}

function makeCamera(angle) {
    const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
    camera.position.set(6 * Math.sin(angle), 2, 6 * Math.cos(angle));
    camera.lookAt(0, 0, 0);
    return camera;
}

function cloud(count) {
    const next = random(17);
    const number = () => next() / 2 ** 32;
    const positions = new Float32Array(3 * count).map(() => 4 * number() - 2);
    const colors = new Float32Array(4 * count).map((_, i) => (i % 4 === 3 ? 0.7 : number()));
    return {
        positions: new THREE.BufferAttribute(positions, 3),
        colors: new THREE.BufferAttribute(colors, 4),
        size: 0.3,
    };
}

/** An object of each class, with one white element in the middle. */
const ofEachClass = (renderer) => {
    const positions = new THREE.BufferAttribute(new Float32Array(3), 3);
    const splat = {place: [0, 0, 0], color: [1, 1, 1], opacity: 20, size: [0.4, 0.4, 0.4], turn: [1, 0, 0, 0]};
    return Promise.all([
        SortedPoints.create(renderer, {positions, size: 2}),
        SortedQuads.create(renderer, {positions, size: 2}),
        SortedSplats.create(renderer, parsePly(writePly(1, () => splat))),
    ]);
};

/** A box with a texture. It is alone: three.js would set the program of a second object anew. */
function boxScene() {
    const checks = new THREE.DataTexture(
        Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255),
        2,
        2,
    );
    checks.needsUpdate = true;
    const scene = new THREE.Scene();
    scene.add(new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial({map: checks})));
    return scene;
}

/** Checks the picture of an object, whose elements lie at `positions`, of `stride` numbers each. */
function checkPicture(renderer, object, positions, stride) {
    const scene = new THREE.Scene();
    scene.add(object);
    object.rotation.y = 0.3;
    object.position.x = 0.2;
    for (const angle of [0, 1.3, 4]) {
        const camera = makeCamera(angle);
        checkDifferences(differences(renderer, scene, object, camera, positions, stride), 0.05);
    }
    checkNoError(renderer.getContext());
}

export const tests = {
    async 'points'() {
        const renderer = makeRenderer();
        const data = cloud(2000);
        const points = await SortedPoints.create(renderer, data);
        checkPicture(renderer, points, data.positions.array, 3);
        checkNoQuestions(renderer.getContext(), () => points.update(makeCamera(1)));
        // Positions that have changed.
        data.positions.array.reverse();
        data.positions.needsUpdate = true;
        checkPicture(renderer, points, data.positions.array, 3);
        points.dispose();
        await disposeGlsort(renderer);
        renderer.dispose();
    },

    async 'colours are those of the working space, as in materials of three.js'() {
        const renderer = makeRenderer();
        const gl = renderer.getContext();
        const camera = makeCamera(0);
        const color = new THREE.Color('#c86432');
        const colorInside = async (object) => {
            const scene = new THREE.Scene();
            scene.add(object);
            object.update(camera);
            renderer.render(scene, camera);
            const pixel = new Uint8Array(4);
            gl.readPixels(side / 2, side / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            object.dispose();
            return [...pixel];
        };
        const positions = new THREE.InterleavedBufferAttribute(
            new THREE.InterleavedBuffer(new Float32Array(8), 4),
            3,
            0,
        );
        const colors = new Float32Array([...color.toArray(), 1, ...color.toArray(), 1]);
        for (const kind of [SortedPoints, SortedQuads]) {
            const found = await colorInside(await kind.create(renderer, {positions, colors, size: 2}));
            checkEqual([200, 100, 50], (i) => found[i], kind.callName);
        }
        // In a file, colours are as the screen shows them.
        const splat = {
            place: [0, 0, 0],
            color: [200 / 255, 100 / 255, 50 / 255],
            opacity: 20,
            size: [0.5, 0.5, 0.5],
            turn: [1, 0, 0, 0],
        };
        const found = await colorInside(await SortedSplats.create(renderer, parsePly(writePly(1, () => splat))));
        [200, 100, 50].forEach((value, i) => check(Math.abs(found[i] - value) <= 2, `a splat has ${found}`));
        checkNoError(gl);
    },

    async 'errors name the object, the argument and the limit'() {
        const renderer = makeRenderer();
        const {positions} = cloud(10);
        await checkThrows(() => SortedOrder.create(null, {positions}), 'renderer is null', 'THREE.WebGLRenderer');
        const refused = glsortOf(document.createElement('canvas'));
        await checkThrows(() => refused, 'glsortOf', 'renderer is HTMLCanvasElement', 'THREE.WebGLRenderer');
        await checkThrows(() => SortedOrder.create(renderer), 'SortedOrder.create', 'positions is undefined');
        await checkThrows(
            () => SortedOrder.create(renderer, {positions: new THREE.Texture()}),
            'positions has no image',
        );
        await checkThrows(
            () => SortedOrder.create(renderer, {positions: new THREE.BufferAttribute(new Float32Array(0), 3)}),
            'SortedOrder.create',
            'positions has no elements',
        );
        for (const count of [11, 0, 1.5, NaN])
            await checkThrows(
                () => SortedOrder.create(renderer, {positions, count}),
                'SortedOrder.create',
                `count is ${count}`,
                '10',
            );
        await checkThrows(
            () => SortedOrder.create(renderer, {positions, measure: 'height'}),
            "measure is 'height'",
            "'depth', 'distance'",
        );
        await checkThrows(() => SortedPoints.create(renderer, {positions, colour: null}), 'colour is not known');
        await checkThrows(
            () => SortedPoints.create(renderer, {positions, colors: [1, 1, 1]}),
            'SortedPoints.create',
            'colors is Array',
            'Float32Array',
        );
        await checkThrows(
            () => SortedQuads.create(renderer, {positions, colors: new Float32Array(36)}),
            'SortedQuads.create',
            'colors has 9',
            '10',
        );
        for (const size of [NaN, -1, Infinity, 'large'])
            await checkThrows(
                () => SortedPoints.create(renderer, {positions, size}),
                'SortedPoints.create',
                typeof size === 'string' ? `size is '${size}'` : `size is ${size}`,
            );
        await checkThrows(() => SortedSplats.create(renderer, {}), 'SortedSplats.create', 'covariances');
        const splats = parsePly(syntheticSplats(10));
        await checkThrows(
            () => SortedSplats.create(renderer, {...splats, covariances: splats.covariances.subarray(1)}),
            'SortedSplats.create',
            'covariances has 79',
            '80',
        );
        const {capabilities} = renderer;
        const {maxTextureSize} = capabilities;
        capabilities.maxTextureSize = 4;
        await checkThrows(
            () => SortedOrder.create(renderer, {positions: cloud(17).positions}),
            'positions needs 5x4 texels',
            '4x4',
        );
        await checkThrows(() => SortedSplats.create(renderer, splats), 'covariances needs 6x4 texels', '4x4');
        capabilities.maxTextureSize = maxTextureSize;
        const {members} = await glsortOf(renderer);
        check(members.size === 0, `${members.size} orders are left`);
        await checkThrows(() => parsePly(new ArrayBuffer(8)), 'parsePly', 'no PLY file');
        const order = await SortedOrder.create(renderer, {positions});
        await checkThrows(() => order.update(makeCamera(0), null, 11), 'count is 11', '10');
        await checkThrows(() => order.update(), 'camera is undefined');
        const texture = new THREE.DataTexture(new Float32Array(16), 2, 2, THREE.RGBAFormat, THREE.FloatType);
        const other = await SortedOrder.create(renderer, {positions: texture});
        await checkThrows(() => other.update(makeCamera(0)), 'SortedOrder.update', 'positions', 'needsUpdate');
        await disposeGlsort(renderer);
    },

    async 'dispose frees all, and leaves what is not its own'() {
        const renderer = makeRenderer();
        const scene = new THREE.Scene();
        const camera = makeCamera(0);
        const own = new THREE.DataTexture(new Float32Array(400), 10, 10, THREE.RGBAFormat, THREE.FloatType);
        own.needsUpdate = true;
        renderer.initTexture(own);
        renderer.render(scene, camera);
        const before = {...renderer.info.memory};
        const alive = watchObjects(renderer.getContext());
        const splats = parsePly(syntheticSplats(100));
        for (const make of [
            () => SortedPoints.create(renderer, cloud(100)),
            () => SortedQuads.create(renderer, {positions: own, colors: own}),
            () => SortedSplats.create(renderer, splats),
        ]) {
            const object = await make();
            scene.add(object);
            object.update(camera);
            renderer.render(scene, camera);
            check(renderer.info.render.calls === 1, `${renderer.info.render.calls} draws`);
            scene.remove(object);
            object.dispose();
            const {textures, geometries} = renderer.info.memory;
            checkEqual(
                [before.textures, before.geometries],
                (i) => [textures, geometries][i],
                'textures and geometries',
            );
        }
        await disposeGlsort(renderer);
        const left = [...alive.values()];
        check(left.length === 0, `not deleted: ${left}`);
        checkNoError(renderer.getContext());
    },

    async 'quads, in two renderers at once'() {
        const data = cloud(1500);
        const renderers = [makeRenderer(), makeRenderer()];
        const objects = await Promise.all(renderers.map((renderer) => SortedQuads.create(renderer, data)));
        check(objects[0].order.scene.gl !== objects[1].order.scene.gl, 'both use one context');
        for (const [i, object] of objects.entries()) checkPicture(renderers[i], object, data.positions.array, 3);
        // The other renderer goes on without the first.
        objects[0].dispose();
        await disposeGlsort(renderers[0]);
        renderers[0].dispose();
        checkPicture(renderers[1], objects[1], data.positions.array, 3);
        objects[1].dispose();
    },

    async 'quads, with positions and colours from textures'() {
        const renderer = makeRenderer();
        const count = 40 * 40;
        const next = random(5);
        const texture = (make) => {
            const made = new THREE.DataTexture(
                Float32Array.from({length: 4 * count}, make),
                40,
                40,
                THREE.RGBAFormat,
                THREE.FloatType,
            );
            made.needsUpdate = true;
            return made;
        };
        const positions = texture((_, i) => (i % 4 === 3 ? 1 : (4 * next()) / 2 ** 32 - 2));
        const colors = texture((_, i) => (i % 4 === 3 ? 0.7 : next() / 2 ** 32));
        const object = await SortedQuads.create(renderer, {positions, colors, size: 0.3});
        checkPicture(renderer, object, positions.image.data, 4);
        object.dispose();
    },

    async 'other objects of the page look as before'() {
        const renderer = makeRenderer();
        const data = cloud(500);
        const points = await SortedPoints.create(renderer, data);
        const scene = boxScene();
        const target = new THREE.WebGLRenderTarget(side, side);
        const camera = makeCamera(1);
        for (const where of [null, target]) {
            renderer.setRenderTarget(where);
            renderer.render(scene, camera);
            const before = pixels(renderer);
            check(new Set(before).size > 3, 'the picture is empty: the test tests nothing');
            for (let i = 0; i < 2; ++i) {
                points.update(camera);
                renderer.render(scene, camera);
                check(difference(before, pixels(renderer)) === 0, 'the box looks different after a sort');
            }
        }
        renderer.setRenderTarget(null);
        points.update(camera);
        renderer.clear();
        checkEqual([0x20, 0x20, 0x28], (i) => pixels(renderer)[i], 'the colour of renderer.clear');
        checkNoError(renderer.getContext());
        points.dispose();
    },

    async 'three.js draws while an order is made, and made again'() {
        const renderer = makeRenderer();
        const scene = boxScene();
        const camera = makeCamera(1);
        const draw = () => {
            renderer.render(scene, camera);
            return pixels(renderer);
        };
        const before = draw();
        check(new Set(before).size > 3, 'the picture is empty: the test tests nothing');
        const drawUntil = async (made) => {
            let isMade = false;
            const end = () => {
                isMade = true;
            };
            made.then(end, end);
            let pictures = 0;
            while (!isMade) {
                check(difference(before, draw()) === 0, `the box looks different in picture ${pictures}`);
                ++pictures;
                await new Promise((resolve) => setTimeout(resolve, 0));
            }
            check(pictures > 1, `${pictures} pictures: the test tests nothing`);
            return made;
        };
        const order = await drawUntil(SortedOrder.create(renderer, {positions: cloud(1000).positions}));
        await loseContext(renderer);
        renderer.setClearColor(0x202028); // three.js forgets the colour with the context.
        await drawUntil(order.scene.ready);
        check(difference(before, draw()) === 0, 'the box looks different at the end');
        order.dispose();
        // An order that is never ready.
        const ended = checkThrows(
            () => SortedOrder.create(renderer, {positions: cloud(1000).positions}),
            'disposed of',
        );
        await new Promise((resolve) => setTimeout(resolve, 0));
        await disposeGlsort(renderer);
        await ended;
        check(difference(before, draw()) === 0, 'the box looks different after a construction that has ended early');
        await release(renderer);
    },

    async 'a reversed depth buffer'() {
        const plain = makeRenderer();
        const isHere = plain.extensions.has('EXT_clip_control');
        await release(plain);
        if (!isHere) return 'not tested: no EXT_clip_control';
        const renderer = makeRenderer({reversedDepthBuffer: true});
        const scene = new THREE.Scene();
        const camera = makeCamera(0);
        for (const [z, color] of [
            [1, 'red'],
            [-1, 'green'],
        ]) {
            const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 1), new THREE.MeshBasicMaterial({color}));
            box.position.z = z;
            scene.add(box);
        }
        const draw = () => {
            renderer.render(scene, camera);
            return pixels(renderer);
        };
        const before = draw();
        const data = cloud(2000);
        const points = await SortedPoints.create(renderer, data);
        check(difference(before, draw()) === 0, 'the boxes look different once points were made');
        points.update(camera);
        check(difference(before, draw()) === 0, 'the boxes look different after a sort');
        checkPicture(renderer, points, data.positions.array, 3);
        points.dispose();
        await release(renderer);
    },

    async 'a logarithmic depth buffer'() {
        const renderer = makeRenderer({logarithmicDepthBuffer: true});
        const camera = makeCamera(0);
        const scene = new THREE.Scene();
        scene.add(new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshBasicMaterial({color: 0x406080})));
        renderer.render(scene, camera);
        const wall = pixels(renderer);
        for (const object of await ofEachClass(renderer)) {
            scene.add(object);
            const [front, back] = [1.5, -1.5].map((z) => {
                object.position.z = z;
                object.update(camera);
                renderer.render(scene, camera);
                return difference(wall, pixels(renderer));
            });
            check(front > 0.02 && back === 0, `${object.constructor.callName}: ${front} in front, ${back} behind`);
            scene.remove(object);
            object.dispose();
        }
        await release(renderer);
    },

    async 'sizes are those of what the picture is drawn into'() {
        const renderer = makeRenderer();
        const camera = makeCamera(0);
        const target = new THREE.WebGLRenderTarget(side / 2, side / 2);
        const cover = (bytes) =>
            difference(
                bytes,
                bytes.map((_, i) => bytes[i % 4]),
            );
        for (const object of await ofEachClass(renderer)) {
            const scene = new THREE.Scene();
            scene.add(object);
            object.update(camera);
            renderer.render(scene, camera);
            const whole = cover(pixels(renderer));
            check(whole > 0.02, 'the picture is empty: the test tests nothing');
            renderer.setRenderTarget(target);
            renderer.render(scene, camera);
            const bytes = new Uint8Array(side * side);
            renderer.readRenderTargetPixels(target, 0, 0, side / 2, side / 2, bytes);
            renderer.setRenderTarget(null);
            renderer.setViewport(0, 0, side / 2, side / 2);
            renderer.render(scene, camera);
            const parts = {'a target': cover(bytes), 'a viewport': 4 * cover(pixels(renderer))};
            renderer.setViewport(0, 0, side, side);
            for (const [name, part] of Object.entries(parts))
                check(
                    Math.abs(part - whole) < 0.15 * whole,
                    `${object.constructor.callName}: ${part} of ${name}, ${whole} of the canvas`,
                );
            object.dispose();
        }
        target.dispose();
        await release(renderer);
    },

    async 'splats of a camera without perspective'() {
        const renderer = makeRenderer();
        renderer.setClearColor(0);
        const gl = renderer.getContext();
        const [points, quads, splats] = await ofEachClass(renderer);
        const scene = new THREE.Scene();
        scene.add(splats);
        const camera = new THREE.OrthographicCamera(-4, 4, 4, -4, 0.1, 100);
        for (const distance of [2, 50]) {
            camera.position.z = distance;
            splats.update(camera);
            renderer.render(scene, camera);
            const pixel = new Uint8Array(4);
            gl.readPixels(side / 2 + 10, side / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            // 0.4 are 10 pixels. The variance of each splat is enlarged by 0.3.
            const expected = 255 * Math.exp((-0.5 * (10.5 ** 2 + 0.5 ** 2)) / 100.3);
            check(Math.abs(pixel[0] - expected) < 4, `${pixel[0]} from a distance of ${distance}, not ${expected}`);
        }
        for (const object of [points, quads, splats]) object.dispose();
        await release(renderer);
    },

    async 'whether an object is visible is the choice of the page'() {
        const renderer = makeRenderer();
        const points = await SortedPoints.create(renderer, cloud(100));
        const scene = new THREE.Scene();
        scene.add(points);
        for (const visible of [false, true]) {
            points.visible = visible;
            check(points.update(makeCamera(0)), 'not sorted');
            check(points.visible === visible, `visible is ${points.visible} after a sort`);
            renderer.render(scene, makeCamera(0));
            check(renderer.info.render.calls === Number(visible), `${renderer.info.render.calls} draws`);
        }
        points.dispose();
        await release(renderer);
    },

    async 'splats from a PLY file'() {
        const renderer = makeRenderer();
        const splats = parsePly(syntheticSplats(3000));
        check(splats.count === 3000 && splats.covariances, 'the file was read wrongly');
        const object = await SortedSplats.create(renderer, splats);
        checkPicture(renderer, object, splats.positions, 4);
        object.dispose();
    },

    async 'positions from a render target, in a material of the page'() {
        const renderer = makeRenderer();
        const target = new THREE.WebGLRenderTarget(32, 32, {
            type: THREE.FloatType,
            format: THREE.RGBAFormat,
            minFilter: THREE.NearestFilter,
            magFilter: THREE.NearestFilter,
            depthBuffer: false,
        });
        const order = await SortedOrder.create(renderer, {positions: target.texture, count: 1000, result: 'rgba32ui'});
        let error = null;
        try {
            order.update(makeCamera(0));
        } catch (thrown) {
            error = thrown;
        }
        check(error?.message.includes('render to its target'), `an empty target: ${error?.message}`);
        // Positions that the GPU computes: no JavaScript ever sees them.
        const camera = makeCamera(0);
        const fill = new THREE.Mesh(
            new THREE.PlaneGeometry(2, 2),
            new THREE.RawShaderMaterial({
                glslVersion: THREE.GLSL3,
                vertexShader: 'in vec3 position; void main() { gl_Position = vec4(position, 1.0); }',
                fragmentShader: `precision highp float; out vec4 place;
                    void main() {
                        float i = gl_FragCoord.x - 0.5 + 32.0 * (gl_FragCoord.y - 0.5);
                        place = vec4(0.0, 0.0, mod(i * 389.0, 1000.0) / 1000.0, 1.0);
                    }`,
            }),
        );
        renderer.setRenderTarget(target);
        renderer.render(fill, camera);
        check(order.update(camera), 'not sorted');
        check(renderer.getRenderTarget() === target, 'another render target is current');
        renderer.setRenderTarget(null);
        const {scene} = order;
        const found = readTexels(renderer.getContext(), order.texture.sourceTexture, scene.width, scene.height);
        renderer.resetState();
        checkNoError(renderer.getContext());
        // The camera looks a little downwards: what has the larger z is nearer.
        const z = (i) => (i * 389) % 1000;
        const expected = Uint32Array.from({length: 1000}, (_, i) => i).sort((a, b) => z(a) - z(b));
        checkEqual(expected, (i) => found[i], 'element');
        order.dispose();
        target.dispose();
    },

    async 'a lost context'() {
        const renderer = makeRenderer();
        const data = cloud(1000);
        const points = await SortedPoints.create(renderer, data);
        await loseContext(renderer, () => {
            check(!points.update(makeCamera(0)) && !points.order.isReady, 'ready in a lost context');
            check(!points.material.visible && points.visible, 'the wrong one is invisible in a lost context');
        });
        await points.order.scene.ready;
        checkPicture(renderer, points, data.positions.array, 3);
        points.dispose();
    },
};
