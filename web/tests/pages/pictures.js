// Pictures by three.js in GPU order, and in other orders.

import * as THREE from 'three';
import {check} from './helpers.js';

/** The picture that was drawn in this task. */
export function pixels(renderer) {
    const gl = renderer.getContext();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return bytes;
}

/** The share of pixels that differ. */
export function difference(a, b) {
    let different = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((c) => Math.abs(a[i + c] - b[i + c]) > 2)) ++different;
    return different / (a.length / 4);
}

/** The picture with another order of the elements, and the same shaders. */
function pictureIn(order, renderer, scene, object, camera) {
    const {width} = object.order.scene;
    const words = new Uint32Array(width * Math.ceil(order.length / width));
    words.set(order);
    const texture = new THREE.DataTexture(
        words,
        width,
        words.length / width,
        THREE.RedIntegerFormat,
        THREE.UnsignedIntType,
    );
    texture.internalFormat = 'R32UI';
    texture.needsUpdate = true;
    const {glsortOrder} = object.material.uniforms;
    const before = glsortOrder.value;
    glsortOrder.value = texture;
    renderer.render(scene, camera);
    glsortOrder.value = before;
    texture.dispose();
    return pixels(renderer);
}

/**
 * Draws an object, whose elements lie at `positions`, of `stride` numbers each. Returns the share of pixels that differ
 * from the picture in JavaScript's order (`wrong`), and from the picture without an order (`unordered`).
 */
export function differences(renderer, scene, object, camera, positions, stride) {
    object.update(camera);
    renderer.render(scene, camera);
    const picture = pixels(renderer);
    const place = new THREE.Vector3();
    const matrix = new THREE.Matrix4().multiplyMatrices(camera.matrixWorldInverse, object.matrixWorld);
    const depths = Float32Array.from(
        {length: positions.length / stride},
        (_, i) => -place.fromArray(positions, stride * i).applyMatrix4(matrix).z,
    );
    const order = Uint32Array.from(depths.keys()).sort((a, b) => depths[b] - depths[a] || a - b);
    return {
        wrong: difference(picture, pictureIn(order, renderer, scene, object, camera)),
        unordered: difference(picture, pictureIn(Uint32Array.from(depths.keys()), renderer, scene, object, camera)),
    };
}

/** Checks what `differences` returned. `least`: the share of pixels that an order must change at least. */
export function checkDifferences({wrong, unordered}, least) {
    // Elements of nearly equal depth may change places: GPU and JavaScript round differently.
    check(wrong < 0.002, `${(100 * wrong).toFixed(2)} % of the pixels differ from those in JavaScript's order`);
    check(
        unordered > least,
        `the order changes only ${(100 * unordered).toFixed(1)} % of the pixels: the test tests nothing`,
    );
}
