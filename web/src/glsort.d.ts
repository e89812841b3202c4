/** glsort: sorts on the GPU, in a WebGL2 context. */

export interface LoadOptions {
    /** Where glsort.wasm is, or its bytes, or the compiled module. Default: beside glsort.js. */
    module?: string | URL | BufferSource | WebAssembly.Module;
}

/** Loads the module, and prepares it for a context. Rejects if the module cannot be loaded or the context is lost. */
export function loadGlsort(gl: WebGL2RenderingContext, options?: LoadOptions): Promise<Glsort>;

/**
 * What a call leaves of the state of the context. `reset`: WebGL's initial values of all that the call changes; asks
 * nothing, so it never waits for the GPU process. `restore`: what was there before; asks, and so may wait.
 *
 * With `reset`, these must have their initial values during a call: the clip origin of EXT_clip_control, the mode of
 * WEBGL_polygon_mode, and the distances of WEBGL_clip_cull_distance. With any policy, blending that
 * OES_draw_buffers_indexed switches for single draw buffers becomes that of the first draw buffer.
 */
export type StatePolicy = 'reset' | 'restore';
/** `rg32ui`: key and index in each texel. `r32ui`: index (or key, without indices). `rgba32ui`: four indices. */
export type ResultForm = 'rg32ui' | 'r32ui' | 'rgba32ui';
export type Order = 'ascending' | 'descending';

export interface TextureSource {
    texture: WebGLTexture;
    /** Texels. Element i lies at (i % width, floor(i / width)). */
    width: number;
    height: number;
}

export interface Glsort {
    readonly gl: WebGL2RenderingContext;
    readonly isContextLost: boolean;
    /**
     * Resolves once the shaders are compiled. The work is done in tasks of some milliseconds. Rejects while the context
     * is lost.
     */
    createSorter(options: SorterOptions): Promise<Sorter>;
    createScene(options: SceneOptions): Promise<Scene>;
    /** Disposes of all sorters and scenes. */
    dispose(): void;
}

/** What sorters and scenes share. */
export interface Sorting {
    /** Elements at most. */
    readonly capacity: number;
    /**
     * The result of each sort. Another one after a lost context. Null while the context is lost, until `isReady`, and
     * after `dispose`.
     */
    readonly texture: WebGLTexture | null;
    /** Texels of `texture`. Place i lies at (i % width, floor(i / width)); of `rgba32ui`, place i / 4. */
    readonly width: number;
    readonly height: number;
    /** False while the context is lost, and while its successor is prepared. */
    readonly isReady: boolean;
    /**
     * Resolves when a sort can run. After a lost context: when the context is restored, and all is built again. Rejects
     * if this fails, or if `dispose` comes before.
     */
    readonly ready: Promise<this>;
    dispose(): void;
}

export interface SorterOptions {
    /** How the 32 bits of a key are compared. Default: u32. NaNs come last where keys ascend. */
    key?: 'u32' | 'i32' | 'f32';
    order?: Order;
    /** Elements of a sort at most. Memory is allocated for so many. */
    capacity: number;
    /** `index`: the number of each element travels with its key. `none`: keys alone. Default: index. */
    payload?: 'index' | 'none';
    /** `r32ui`: keys are bits in an R32UI texture. `float`: keys are a channel of a float texture; `key` is f32. */
    source?: 'r32ui' | 'float';
    /** Default: rg32ui, or r32ui without indices. */
    result?: ResultForm;
    state?: StatePolicy;
}

export interface Sorter extends Sorting {
    /** Sorts `count` elements, stably. Returns `texture`. Issues commands only: reads nothing back, and never waits. */
    sort(source: TextureSource & {channel?: 0 | 1 | 2 | 3}, count: number): WebGLTexture;
}

export interface SceneInput {
    /** GLSL gets a function `vec4 NAME_at(uint element)`, or `uvec4` for integers. */
    name: string;
    /** Of a component. Textures: f32 for floats, u32 for integers. Default: f32. */
    type?: 'f32' | 'f16' | 'u32' | 'u16';
    /** Default: 4. */
    components?: 1 | 2 | 3 | 4;
    from?: 'texture' | 'buffer';
    /** Of buffers, bytes from one element to the next. 0: elements lie one after the other. */
    stride?: number;
    /** Of buffers, bytes before the first element. */
    offset?: number;
}

export interface ViewKeys {
    measure?: 'depth' | 'distance';
    /** The input with the radius of each element. */
    radius?: string;
    /** Whether elements outside of the frustum are left out. Default: true. */
    frustum?: boolean;
    /** Whether elements smaller than `minPixels` are left out. Needs `radius`. */
    small?: boolean;
}

export interface SceneSource {
    name?: string;
    capacity: number;
    /** With `view`, one is named `position`. */
    inputs: SceneInput[];
    /** Keys are distances from a camera. Either this or `glsl`. */
    view?: ViewKeys;
    /** Defines `bool sort_key(uint element, out K key)`; K is uint, int or float. False: the element is left out. */
    glsl?: string;
    /** GLSL gets a function `vec4 NAME()` for each. */
    values?: string[];
}

export interface SceneOptions {
    /** 1 to 64. Their elements are sorted as one. */
    sources: SceneSource[];
    key?: 'u32' | 'i32' | 'f32';
    /** Default: descending, from back to front. */
    order?: Order;
    /** Default: r32ui. Places behind the visible items hold 0xffffffff. */
    result?: ResultForm;
    /** Keys of fewer bits: faster, and less exact. */
    quantisation?: {bits?: number; scale?: 'linear' | 'reciprocal'} | null;
    state?: StatePolicy;
}

export interface CameraView {
    /** In columns, as `uniformMatrix4fv` takes them: from positions to the space of the camera. */
    view: ArrayLike<number>;
    projection: ArrayLike<number>;
    /** Only with `small`. */
    viewportHeight?: number;
    minPixels?: number;
}

export interface SceneArguments {
    sources: {
        count: number;
        inputs: {[name: string]: TextureSource | {buffer: WebGLBuffer; offset?: number}};
        view?: CameraView;
        values?: {[name: string]: ArrayLike<number>};
    }[];
    /** Only with quantisation: the range of keys. */
    nearest?: number;
    farthest?: number;
}

export interface Scene extends Sorting {
    /**
     * A buffer with four words. The first one is the number of visible items. Unbind the buffer before the next sort.
     * Null while the context is lost, until `isReady`, and after `dispose`.
     */
    readonly status: WebGLBuffer | null;
    /** GLSL of `uvec2 scene_item(uint item)`: the source and the element of an item. */
    readonly itemGlsl: string;
    /** The item number of element 0 of a source. */
    base(source: number): number;
    sort(given: SceneArguments): WebGLTexture;
}
