// The order of elements by their distance from a camera, in the context of a WebGLRenderer.

import {DataTexture, ExternalTexture, FloatType, Matrix4, RGBAFormat} from 'three';
import {whole} from '../src/checks.js';
import {loadGlsort} from './glsort.js';

const libraries = new WeakMap();

const isAttribute = (given) => Boolean(given?.isBufferAttribute || given?.isInterleavedBufferAttribute);
const shown = (given) => given?.type ?? given?.constructor?.name ?? String(given);

async function loadFor(renderer, options) {
    const library = await loadGlsort(renderer.getContext(), options);
    // What three.js has cached of the state is outdated then, also between the tasks of a construction.
    library.afterReset = () => resetRenderer(renderer);
    return library;
}

/** The library in the context of a renderer. Each renderer has one, made with the options of the first call. */
export async function glsortOf(renderer, options) {
    if (!renderer?.isWebGLRenderer)
        throw new Error(`glsortOf: renderer is ${shown(renderer)}; it must be a THREE.WebGLRenderer`);
    if (!libraries.has(renderer)) {
        const loading = loadFor(renderer, options);
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

/** How many elements there are. Throws if `given` is neither a texture, nor an attribute, nor one of `others`. */
export function elementsOf(call, name, given, others = []) {
    if (given?.isTexture) {
        if (!given.image?.width) throw new Error(`${call}: ${name} has no image yet`);
        return given.image.width * given.image.height;
    }
    if (isAttribute(given)) return Math.floor(given.count);
    if (others.some((kind) => given instanceof kind)) return Math.floor(given.length / 4);
    const kinds = ['a Texture', 'a BufferAttribute', ...others.map((kind) => `a ${kind.name}`)].join(' or ');
    throw new Error(`${call}: ${name} is ${shown(given)}; it must be ${kinds}`);
}

/**
 * A texture with four floats for each element of an attribute, or of an array with four floats an element. `call` and
 * `name`: for errors.
 */
export function dataTexture(renderer, call, name, given, perElement = 1) {
    const isArray = given instanceof Float32Array;
    const texels = isArray ? given.length / 4 : given.count;
    const width = perElement * Math.ceil(Math.sqrt(texels) / perElement);
    const height = Math.ceil(texels / width);
    const most = renderer.capabilities.maxTextureSize;
    if (width > most)
        throw new Error(`${call}: ${name} needs ${width}x${height} texels; the largest texture has ${most}x${most}`);
    const data = new Float32Array(4 * width * height);
    const fill = () => {
        if (isArray) return data.set(given);
        for (let i = 0; i < texels; ++i)
            for (let c = 0; c < 4; ++c)
                data[4 * i + c] = c < given.itemSize ? given.getComponent(i, c) : c === 3 ? 1 : 0;
    };
    fill();
    const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
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
        if (elements === 0) throw new Error(`${call}: positions has no elements`);
        const capacity = whole(call, 'count', count ?? elements, 1, elements, ', the elements of positions');
        const library = await glsortOf(renderer);
        const texture = positions.isTexture ? positions : dataTexture(renderer, call, 'positions', positions);
        const scene = await library.createScene({
            order,
            result,
            sources: [{capacity, inputs: [{name: 'position', components: 4}], view: {measure, frustum}}],
        });
        return new SortedOrder(renderer, scene, texture, texture !== positions);
    }

    constructor(renderer, scene, positions, ownsPositions) {
        this.renderer = renderer;
        this.scene = scene;
        this.count = scene.capacity;
        this.positions = positions;
        this.ownsPositions = ownsPositions;
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
                'SortedOrder.update: the texture of positions has nothing in it yet: ' +
                    (positions.isRenderTargetTexture ? 'render to its target before' : 'set its needsUpdate'),
            );
        camera.updateWorldMatrix(true, false);
        view.copy(camera.matrixWorld).invert();
        if (object) {
            object.updateWorldMatrix(true, false);
            view.multiply(object.matrixWorld);
        }
        const {width, height} = positions.image;
        this.texture.sourceTexture = this.scene.sort({
            sources: [
                {
                    count,
                    inputs: {position: {texture, width, height}},
                    view: {view: view.elements, projection: camera.projectionMatrix.elements},
                },
            ],
        });
        return true;
    }

    dispose() {
        this.scene.dispose();
        this.texture.dispose();
        if (this.ownsPositions) this.positions.dispose();
    }
}

/** three.js asks for this after others have used its context. What the page has set stays. */
function resetRenderer(renderer) {
    const target = renderer.getRenderTarget();
    const face = renderer.getActiveCubeFace();
    const level = renderer.getActiveMipmapLevel();
    const {depth} = renderer.state.buffers;
    const reversed = depth.getReversed();
    renderer.resetState();
    // After resetState depths are not reversed. Only the renderer's constructor would reverse them again.
    depth.setReversed(reversed);
    if (reversed) depth.setClear(1);
    renderer.setRenderTarget(target, face, level);
    // resetState also changes the colour that `renderer.clear` uses.
    renderer.setClearAlpha(renderer.getClearAlpha());
}
