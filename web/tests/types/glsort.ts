// Every call of the package, as TypeScript sees it. tsc checks this file; nothing runs it.

import {
    loadGlsort,
    type CameraView,
    type Glsort,
    type LoadOptions,
    type Order,
    type ResultForm,
    type Scene,
    type SceneArguments,
    type SceneInput,
    type SceneOptions,
    type SceneSource,
    type Sorter,
    type SorterOptions,
    type Sorting,
    type StatePolicy,
    type TextureSource,
    type ViewKeys,
} from 'glsort';

declare const canvas: HTMLCanvasElement;
declare const gl: WebGL2RenderingContext;
declare const texture: WebGLTexture;
declare const buffer: WebGLBuffer;

export async function load(): Promise<Glsort> {
    const sources: LoadOptions[] = [
        {},
        {module: 'lib/glsort.wasm'},
        {module: new URL('https://example.org/glsort.wasm')},
        {module: new Uint8Array(8)},
        {module: new ArrayBuffer(8)},
        {module: await WebAssembly.compile(new Uint8Array(8))},
    ];
    for (const options of sources) await loadGlsort(gl, options);
    // @ts-expect-error A context may be missing.
    await loadGlsort(canvas.getContext('webgl2'));
    // @ts-expect-error WebGL 1 has no integer textures.
    await loadGlsort(canvas.getContext('webgl')!);
    // @ts-expect-error The option is called module.
    await loadGlsort(gl, {wasm: 'lib/glsort.wasm'});
    const glsort = await loadGlsort(gl);
    const context: WebGL2RenderingContext = glsort.gl;
    const lost: boolean = glsort.isContextLost;
    // @ts-expect-error The context stays the same.
    glsort.gl = context;
    if (lost) glsort.dispose();
    return glsort;
}

/** What sorters and scenes share. */
async function use(sorting: Sorting) {
    const numbers: number[] = [sorting.capacity, sorting.width, sorting.height];
    const result: WebGLTexture | null = sorting.texture;
    if (!sorting.isReady) await sorting.ready;
    sorting.dispose();
    // @ts-expect-error There is no texture while the context is lost.
    const texel: WebGLTexture = sorting.texture;
    // @ts-expect-error Only a sort changes the texture.
    sorting.texture = texture;
    return {numbers, result, texel};
}

export async function sort(glsort: Glsort) {
    const order: Order = 'descending';
    const state: StatePolicy = 'restore';
    for (const result of ['rg32ui', 'r32ui', 'rgba32ui'] satisfies ResultForm[])
        await glsort.createSorter({key: 'f32', order, capacity: 8, payload: 'index', source: 'float', result, state});
    await glsort.createSorter({capacity: 8, payload: 'none', key: 'i32', source: 'r32ui'});
    const options: SorterOptions = {capacity: 8};
    const sorter: Sorter = await glsort.createSorter(options);
    const source: TextureSource = {texture, width: 4, height: 2};
    const sorted: WebGLTexture = sorter.sort(source, 8);
    sorter.sort({...source, channel: 3}, 8);
    await use(sorter);
    const same: Sorter = await sorter.ready;

    // @ts-expect-error A capacity is needed.
    await glsort.createSorter({key: 'u32'});
    // @ts-expect-error Keys have 32 bits.
    await glsort.createSorter({capacity: 8, key: 'u64'});
    // @ts-expect-error There is no such order.
    await glsort.createSorter({capacity: 8, order: 'random'});
    // @ts-expect-error There is no such form.
    await glsort.createSorter({capacity: 8, result: 'rgba8'});
    // @ts-expect-error There is no such source.
    await glsort.createSorter({capacity: 8, source: 'depth'});
    // @ts-expect-error There is no such state.
    await glsort.createSorter({capacity: 8, state: 'keep'});
    // @ts-expect-error There is no such payload.
    await glsort.createSorter({capacity: 8, payload: 'value'});
    // @ts-expect-error There is no such option.
    await glsort.createSorter({capacity: 8, stable: true});
    // @ts-expect-error A sorter takes time to be made.
    glsort.createSorter({capacity: 8}).sort(source, 8);
    // @ts-expect-error The size of the texture is missing.
    sorter.sort({texture}, 8);
    // @ts-expect-error Texels have four channels.
    sorter.sort({...source, channel: 4}, 8);
    // @ts-expect-error The count is missing.
    sorter.sort(source);
    return {sorted, same};
}

export async function scenes(glsort: Glsort) {
    const inputs: SceneInput[] = [
        {name: 'position'},
        {name: 'radius', type: 'f16', components: 1, from: 'buffer', stride: 2, offset: 4},
    ];
    const keys: ViewKeys = {measure: 'distance', radius: 'radius', frustum: true, small: true};
    const source: SceneSource = {name: 'particles', capacity: 8, inputs, view: keys};
    const computed: SceneSource = {
        capacity: 8,
        inputs: [{name: 'number', type: 'u32', components: 1}],
        values: ['factor'],
        glsl: 'bool sort_key(uint element, out uint key) { key = number_at(element).x; return true; }',
    };
    const options: SceneOptions = {
        sources: [source],
        key: 'f32',
        order: 'descending',
        result: 'rgba32ui',
        quantisation: {bits: 16, scale: 'reciprocal'},
        state: 'reset',
    };
    await glsort.createScene({
        sources: [computed],
        key: 'u32',
        order: 'ascending',
        result: 'rg32ui',
        quantisation: null,
    });
    const scene: Scene = await glsort.createScene(options);
    const view: CameraView = {
        view: new Float32Array(16),
        projection: new Array<number>(16),
        viewportHeight: 600,
        minPixels: 1,
    };
    const position: TextureSource = {texture, width: 4, height: 2};
    const given: SceneArguments = {
        sources: [{count: 8, inputs: {position, radius: {buffer, offset: 0}}, view, values: {factor: [1, 0, 0, 0]}}],
        nearest: 1,
        farthest: 9,
    };
    const sorted: WebGLTexture = scene.sort(given);
    const status: WebGLBuffer | null = scene.status;
    const [glsl, first]: [string, number] = [scene.itemGlsl, scene.base(0)];
    await use(scene);

    // @ts-expect-error There is no buffer while the context is lost.
    const words: WebGLBuffer = scene.status;
    // @ts-expect-error Sources are needed.
    await glsort.createScene({});
    // @ts-expect-error A source has a capacity.
    await glsort.createScene({sources: [{inputs}]});
    // @ts-expect-error An input has a name.
    await glsort.createScene({sources: [{capacity: 8, inputs: [{}]}]});
    // @ts-expect-error A texel has four components.
    await glsort.createScene({sources: [{capacity: 8, inputs: [{name: 'position', components: 5}]}]});
    // @ts-expect-error There is no such measure.
    await glsort.createScene({sources: [{...source, view: {measure: 'height'}}]});
    // @ts-expect-error A source has a count.
    scene.sort({sources: [{inputs: {position}, view}]});
    // @ts-expect-error A view has a projection.
    scene.sort({sources: [{count: 8, inputs: {position}, view: {view: new Float32Array(16)}}]});
    // @ts-expect-error A texture has a size.
    scene.sort({sources: [{count: 8, inputs: {position: texture}, view}]});
    return {sorted, status, words, glsl, first};
}
