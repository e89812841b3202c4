// Every call of glsort/three, as TypeScript sees it. tsc checks this file; nothing runs it.

import * as THREE from 'three';
import {
    disposeGlsort,
    glsortOf,
    orderGlsl,
    parsePly,
    SortedOrder,
    SortedPoints,
    SortedQuads,
    SortedSplats,
    type ObjectOptions,
    type OrderOptions,
    type PlyData,
    type SortedObject,
} from 'glsort/three';
import type {Glsort, Scene} from 'glsort';

declare const renderer: THREE.WebGLRenderer;
declare const camera: THREE.PerspectiveCamera;
declare const bytes: ArrayBuffer;
declare const texture: THREE.Texture;
const attribute = new THREE.BufferAttribute(new Float32Array(12), 3);

export async function library() {
    const glsort: Glsort = await glsortOf(renderer);
    await glsortOf(renderer, {module: 'lib/glsort.wasm'});
    await disposeGlsort(renderer);
    // @ts-expect-error A canvas is no renderer.
    await glsortOf(document.createElement('canvas'));
    return glsort;
}

export async function order() {
    const options: OrderOptions = {
        positions: texture,
        count: 4,
        order: 'ascending',
        measure: 'distance',
        frustum: true,
        result: 'rgba32ui',
    };
    const made: SortedOrder = await SortedOrder.create(renderer, options);
    const ready: boolean = made.isReady && made.update(camera) && made.update(camera, new THREE.Group(), 3);
    const scene: Scene = made.scene;
    const found: THREE.Texture[] = [made.positions, made.texture];
    const material = new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3,
        uniforms: {...made.uniforms},
        vertexShader: `${orderGlsl} void main() { uint i = glsort_element(gl_VertexID); }`,
    });
    // @ts-expect-error Positions are needed.
    await SortedOrder.create(renderer, {count: 4});
    // @ts-expect-error Numbers alone do not tell how many belong to an element.
    await SortedOrder.create(renderer, {positions: new Float32Array(12)});
    // @ts-expect-error It is made by create, which waits for the shaders.
    new SortedOrder(renderer, options);
    // @ts-expect-error A camera is needed.
    made.update();
    made.dispose();
    return {count: made.count, ready, scene, found, material};
}

export async function objects(scene: THREE.Scene) {
    const options: ObjectOptions = {
        positions: attribute,
        colors: attribute,
        size: 0.1,
        count: 4,
        order: 'descending',
        frustum: false,
    };
    const points: THREE.Points = await SortedPoints.create(renderer, options);
    const interleaved = new THREE.InterleavedBufferAttribute(
        new THREE.InterleavedBuffer(new Float32Array(12), 3),
        3,
        0,
    );
    const quads: THREE.Mesh = await SortedQuads.create(renderer, {
        positions: interleaved,
        colors: new Float32Array(16),
    });
    const read: PlyData = parsePly(bytes);
    parsePly(new Uint8Array(bytes));
    const splats = await SortedSplats.create(renderer, read, {measure: 'distance'});
    scene.add(points, quads, splats);
    for (const object of [splats, await SortedPoints.create(renderer, options)] satisfies SortedObject[]) {
        const drawn: boolean = object.update(camera);
        if (drawn && object.order.isReady) object.dispose();
    }
    const numbers: (Float32Array | null)[] = [read.positions, read.colors, read.covariances];
    // @ts-expect-error Sizes are the same for all.
    await SortedPoints.create(renderer, {positions: attribute, size: [1, 2]});
    // @ts-expect-error A colour is no list of colours.
    await SortedQuads.create(renderer, {positions: attribute, colors: new THREE.Color('red')});
    // @ts-expect-error Splats come from parsePly.
    await SortedSplats.create(renderer, {positions: attribute});
    // @ts-expect-error A file is read before.
    parsePly(new Blob());
    return {count: read.count, numbers};
}
