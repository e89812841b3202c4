// Pictures by three.js in GPU order, against pictures of the same objects in an order that JavaScript has found.

import * as THREE from 'three';
import {disposeGlsort, parsePly, SortedOrder, SortedPoints, SortedQuads, SortedSplats} from 'glsort/three';
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

function makeRenderer() {
    const renderer = new THREE.WebGLRenderer({antialias: false, preserveDrawingBuffer: true});
    renderer.setPixelRatio(1);
    renderer.setSize(side, side);
    renderer.setClearColor(0x202028);
    return renderer;
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
        await checkThrows(() => SortedOrder.create(null, {positions}), 'renderer', 'THREE.WebGLRenderer');
        await checkThrows(() => SortedOrder.create(renderer), 'SortedOrder.create', 'positions is undefined');
        await checkThrows(
            () => SortedOrder.create(renderer, {positions: new THREE.Texture()}),
            'positions has no image',
        );
        await checkThrows(() => SortedOrder.create(renderer, {positions, count: 11}), 'count is 11', '10');
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
        await checkThrows(() => SortedSplats.create(renderer, {}), 'SortedSplats.create', 'covariances');
        await checkThrows(() => parsePly(new ArrayBuffer(8)), 'parsePly', 'no PLY file');
        const order = await SortedOrder.create(renderer, {positions});
        await checkThrows(() => order.update(makeCamera(0), null, 11), 'count is 11', '10');
        await checkThrows(() => order.update(), 'camera is undefined');
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
        const checks = new THREE.DataTexture(
            Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255),
            2,
            2,
        );
        checks.needsUpdate = true;
        const scene = new THREE.Scene();
        const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial({map: checks}));
        scene.add(box); // alone: three.js would set the program of a second object anew
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
        checkNoError(renderer.getContext());
        points.dispose();
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
        const log = console.log;
        console.log = () => {}; // three.js tells of the loss.
        renderer.forceContextLoss();
        await new Promise((resolve) => setTimeout(resolve, 50));
        points.update(makeCamera(0));
        check(!points.visible && !points.order.isReady, 'ready in a lost context');
        renderer.forceContextRestore();
        await new Promise((resolve) => setTimeout(resolve, 50));
        console.log = log;
        await points.order.scene.ready;
        checkPicture(renderer, points, data.positions.array, 3);
        points.dispose();
    },
};
