// The order of elements by their distance from a camera, in the context of a WebGLRenderer.

import {DataTexture, ExternalTexture, FloatType, Matrix4, RGBAFormat} from 'three';
import {loadGlsort} from './glsort.js';

const libraries = new WeakMap();

/** The library in the context of a renderer. Each renderer has one. */
export function glsortOf(renderer, options) {
    if (!renderer?.isWebGLRenderer) throw new Error('glsort: renderer must be a THREE.WebGLRenderer');
    if (!libraries.has(renderer)) {
        const loading = loadGlsort(renderer.getContext(), options);
        loading.catch(() => libraries.delete(renderer));
        libraries.set(renderer, loading);
    }
    return libraries.get(renderer);
}

/** Releases all that the library has made for a renderer. */
export async function disposeGlsort(renderer) {
    const loading = libraries.get(renderer);
    libraries.delete(renderer);
    (await loading)?.dispose();
}

const isAttribute = (given) => Boolean(given?.isBufferAttribute || given?.isInterleavedBufferAttribute);
const shown = (given) => given?.type ?? given?.constructor?.name ?? String(given);

/** How many elements there are. Throws if `given` is neither a texture, nor an attribute, nor one of `others`. */
export function elementsOf(call, name, given, others = []) {
    if (given?.isTexture) {
        if (!given.image?.width) throw new Error(`${call}: ${name} has no image yet`);
        return given.image.width * given.image.height;
    }
    if (isAttribute(given)) return given.count;
    if (others.some((kind) => given instanceof kind)) return given.length / 4;
    const kinds = ['a Texture', 'a BufferAttribute', ...others.map((kind) => `a ${kind.name}`)].join(' or ');
    throw new Error(`${call}: ${name} is ${shown(given)}; it must be ${kinds}`);
}

/** A texture with four floats for each element of an attribute, or of an array with four floats an element. */
export function dataTexture(given, perElement = 1) {
    const isArray = given instanceof Float32Array;
    const texels = isArray ? given.length / 4 : given.count;
    const width = Math.max(perElement, Math.min(4096, Math.ceil(Math.sqrt(texels) / perElement) * perElement));
    const data = new Float32Array(4 * width * Math.ceil(texels / width));
    const fill = () => {
        if (isArray) return data.set(given);
        for (let i = 0; i < texels; ++i)
            for (let c = 0; c < 4; ++c)
                data[4 * i + c] = c < given.itemSize ? given.getComponent(i, c) : c === 3 ? 1 : 0;
    };
    fill();
    const texture = new DataTexture(data, width, data.length / 4 / width, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    const versionOf = () => given.version ?? given.data.version;
    let version = isArray ? 0 : versionOf();
    /** Takes over what has changed in the attribute. */
    texture.userData.refresh = () => {
        if (isArray || versionOf() === version) return;
        version = versionOf();
        fill();
        texture.needsUpdate = true;
    };
    return texture;
}

/** For shaders: the element at a place of the order, 0xffffffffu behind the last one, and the texels of an element. */
export const orderGlsl = `
uniform highp usampler2D glsortOrder;
uniform int glsortWidth;
uint glsort_element(int place) {
    return texelFetch(glsortOrder, ivec2(place % glsortWidth, place / glsortWidth), 0).x;
}
vec4 glsort_fetch(highp sampler2D data, uint texel) {
    uint width = uint(textureSize(data, 0).x);
    return texelFetch(data, ivec2(texel % width, texel / width), 0);
}
`;

export class SortedOrder {
    /**
     * `positions`: a float texture with an element in each texel, or a BufferAttribute. Other options are those of the
     * views of scenes.
     */
    static async create(renderer, options = {}) {
        const call = 'SortedOrder.create';
        const {
            positions,
            count,
            order = 'descending',
            measure = 'depth',
            frustum = false,
            result = 'r32ui',
            ...rest
        } = options;
        const unknown = Object.keys(rest)[0];
        if (unknown) throw new Error(`${call}: ${unknown} is not known`);
        const elements = elementsOf(call, 'positions', positions);
        if (count > elements) throw new Error(`${call}: count is ${count}; positions has ${elements} elements`);
        const library = await glsortOf(renderer);
        const scene = await library.createScene({
            order,
            result,
            sources: [
                {capacity: count ?? elements, inputs: [{name: 'position', components: 4}], view: {measure, frustum}},
            ],
        });
        // What three.js has cached of the state is outdated now.
        resetRenderer(renderer);
        return new SortedOrder(renderer, scene, positions);
    }

    constructor(renderer, scene, positions) {
        this.renderer = renderer;
        this.scene = scene;
        this.count = scene.capacity;
        this.ownsPositions = !positions.isTexture;
        this.positions = positions.isTexture ? positions : dataTexture(positions);
        this.texture = new ExternalTexture(scene.texture);
        this.uniforms = {glsortOrder: {value: this.texture}, glsortWidth: {value: scene.width}};
        this.view = new Matrix4();
    }

    /** Whether `update` sorts: not while a context is lost, or new and not yet prepared. */
    get isReady() {
        return this.scene.isReady && !this.renderer.getContext().isContextLost();
    }

    /** Sorts for a camera. `object`: whose space the positions are in. Call outside of `renderer.render`. */
    update(camera, object = null, count = this.count) {
        if (!camera?.isCamera) throw new Error(`SortedOrder.update: camera is ${shown(camera)}; it must be a Camera`);
        if (!this.isReady) return false;
        const {renderer, positions, view} = this;
        positions.userData.refresh?.();
        if (!positions.isRenderTargetTexture) renderer.initTexture(positions);
        const texture = renderer.properties.get(positions).__webglTexture;
        if (!texture)
            throw new Error(
                'SortedOrder.update: the texture of positions has nothing in it yet: render to its target before',
            );
        camera.updateWorldMatrix(true, false);
        view.copy(camera.matrixWorld).invert();
        if (object) {
            object.updateWorldMatrix(true, false);
            view.multiply(object.matrixWorld);
        }
        const {width, height} = positions.image;
        const sorted = this.scene.sort({
            sources: [
                {
                    count,
                    inputs: {position: {texture, width, height}},
                    view: {view: view.elements, projection: camera.projectionMatrix.elements},
                },
            ],
        });
        resetRenderer(renderer);
        this.texture.sourceTexture = sorted;
        return true;
    }

    dispose() {
        this.scene.dispose();
        this.texture.dispose();
        if (this.ownsPositions) this.positions.dispose();
    }
}

/** three.js asks for this after others have used its context. Its render target stays the current one. */
function resetRenderer(renderer) {
    const target = renderer.getRenderTarget();
    const face = renderer.getActiveCubeFace();
    const level = renderer.getActiveMipmapLevel();
    renderer.resetState();
    renderer.setRenderTarget(target, face, level);
}
