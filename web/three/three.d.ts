import type {
    BufferAttribute,
    Camera,
    ExternalTexture,
    InterleavedBufferAttribute,
    IUniform,
    Mesh,
    Object3D,
    Points,
    Texture,
    WebGLRenderer,
} from 'three';
import type {Glsort, LoadOptions, Order, ResultForm, Scene} from './glsort.js';

/**
 * The library in the context of a renderer. Each renderer has one. `options` count in the first call for a renderer,
 * or in the first after `disposeGlsort`; later calls ignore them.
 */
export function glsortOf(renderer: WebGLRenderer, options?: LoadOptions): Promise<Glsort>;
/** Releases all that the library has made for a renderer. Call before `renderer.dispose()`. */
export function disposeGlsort(renderer: WebGLRenderer): Promise<void>;

/**
 * GLSL of two functions. `uint glsort_element(int place)`: the element at a place of the order, 0xffffffffu behind the
 * last one; not for `rgba32ui`. `vec4 glsort_fetch(sampler2D data, uint element)`: a texel, where rows lie one behind
 * the other.
 */
export const orderGlsl: string;

/** A float texture with an element in each texel, row by row, or an attribute. */
export type Elements = Texture | BufferAttribute | InterleavedBufferAttribute;

export interface OrderOptions {
    positions: Elements;
    /** At least 1. Default: all elements of `positions`. */
    count?: number;
    order?: Order;
    measure?: 'depth' | 'distance';
    /** Whether elements outside of the frustum are left out. Default: false. */
    frustum?: boolean;
    result?: ResultForm;
}

/** The order of elements, for materials of your own. */
export class SortedOrder {
    private constructor();
    static create(renderer: WebGLRenderer, options: OrderOptions): Promise<SortedOrder>;
    readonly isReady: boolean;
    readonly count: number;
    readonly scene: Scene;
    readonly positions: Texture;
    readonly texture: ExternalTexture;
    /** For materials that contain `orderGlsl`. */
    readonly uniforms: {glsortOrder: IUniform; glsortWidth: IUniform};
    /** Sorts for a camera. Call outside of `renderer.render`. Returns false if nothing was sorted (`isReady`). */
    update(camera: Camera, object?: Object3D | null, count?: number): boolean;
    dispose(): void;
}

export interface ObjectOptions extends OrderOptions {
    /** Red, green, blue and opacity, from 0 to 1, in the working colour space of three.js. Default: white. */
    colors?: Elements | Float32Array;
    /** In the units of the scene, at least 0. Default: 0.05. */
    size?: number;
}

export interface SortedObject {
    readonly order: SortedOrder;
    /**
     * Sorts for a camera. Call before `renderer.render`. Returns false if nothing was sorted (`order.isReady`). The
     * object is then not drawn: `material.visible` is false. `visible` is yours.
     */
    update(camera: Camera): boolean;
    dispose(): void;
}

export class SortedPoints extends Points implements SortedObject {
    private constructor();
    static create(renderer: WebGLRenderer, options: ObjectOptions): Promise<SortedPoints>;
    readonly order: SortedOrder;
    update(camera: Camera): boolean;
    dispose(): void;
}
/** Discs that face the camera, as instances of a quad. */
export class SortedQuads extends Mesh implements SortedObject {
    private constructor();
    static create(renderer: WebGLRenderer, options: ObjectOptions): Promise<SortedQuads>;
    readonly order: SortedOrder;
    update(camera: Camera): boolean;
    dispose(): void;
}

export interface PlyData {
    count: number;
    /** x, y, z, 1. */
    positions: Float32Array;
    /** Red, green, blue, opacity, in the working colour space of three.js. */
    colors: Float32Array;
    /** xx, xy, xz, yy, yz, zz, 0, 0. Null: the file has points. */
    covariances: Float32Array | null;
}
export function parsePly(bytes: ArrayBuffer | ArrayBufferView): PlyData;

/** Gaussian splats. */
export class SortedSplats extends Mesh implements SortedObject {
    private constructor();
    static create(renderer: WebGLRenderer, splats: PlyData, options?: Partial<OrderOptions>): Promise<SortedSplats>;
    readonly order: SortedOrder;
    update(camera: Camera): boolean;
    dispose(): void;
}
