// Scenes: keys that the GPU computes, several sources, elements that are left out.

import {loadGlsort} from 'glsort';
import {
    check,
    checkEqual,
    checkNoError,
    checkNoQuestions,
    checkThrows,
    floatTexture,
    makeContext,
    random,
    readTexels,
    sortedIndices,
} from './helpers.js';

const none = 0xffffffff;

/** x, y, z, 1 between -10 and 10. */
function somePositions(count, seed) {
    const next = random(seed);
    return Float32Array.from({length: 4 * count}, (_, i) => (i % 4 === 3 ? 1 : (next() / 2 ** 32) * 20 - 10));
}

// A camera at (0, 0, 25) that looks along -z, and one of 90 degrees of view from 1 to 100.
const view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -25, 1];
const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -101 / 99, -1, 0, 0, -200 / 99, 0];
const depthOf = (positions, i) => Math.fround(25 - positions[4 * i + 2]);

function bufferOf(gl, data) {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    return buffer;
}

/** The first word of the status: how many items are visible. */
function visibleOf(gl, scene) {
    const word = new Uint32Array(1);
    gl.bindBuffer(gl.COPY_READ_BUFFER, scene.status);
    gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, word);
    gl.bindBuffer(gl.COPY_READ_BUFFER, null);
    return word[0];
}

export const tests = {
    async 'several sources by depth, from textures and a buffer'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const all = [1500, 700, 300].map((count, i) => ({count, positions: somePositions(count, i + 1)}));
        const scene = await glsort.createScene({
            sources: [
                {capacity: 2000, inputs: [{name: 'position'}], view: {frustum: false}},
                {
                    capacity: 700,
                    inputs: [{name: 'position', components: 3, from: 'buffer', stride: 16}],
                    view: {frustum: false},
                },
                {capacity: 300, inputs: [{name: 'position'}], view: {frustum: false}},
            ],
        });
        const inputs = [
            floatTexture(gl, all[0].positions),
            {buffer: bufferOf(gl, all[1].positions)},
            floatTexture(gl, all[2].positions),
        ];
        // Uploads from buffers fail while images are to be flipped, and depend on the other parameters.
        for (const [store, value] of [
            ['UNPACK_FLIP_Y_WEBGL', true],
            ['UNPACK_PREMULTIPLY_ALPHA_WEBGL', true],
            ['UNPACK_ALIGNMENT', 8],
            ['UNPACK_ROW_LENGTH', 7],
            ['UNPACK_SKIP_PIXELS', 2],
            ['UNPACK_SKIP_ROWS', 3],
        ])
            gl.pixelStorei(gl[store], value);
        const given = {
            sources: all.map(({count}, i) => ({count, inputs: {position: inputs[i]}, view: {view, projection}})),
        };
        let texture;
        checkNoQuestions(gl, () => {
            texture = scene.sort(given);
        });
        checkNoError(gl);
        check(texture === scene.texture, 'the result is another texture');
        check(scene.base(1) === 2000 && scene.base(2) === 2700, 'wrong item numbers');
        const items = [];
        const depths = [];
        all.forEach(({count, positions}, source) => {
            for (let i = 0; i < count; ++i) {
                items.push(scene.base(source) + i);
                depths.push(depthOf(positions, i));
            }
        });
        const order = sortedIndices(new Uint32Array(Float32Array.from(depths).buffer), 'f32', 'descending');
        const texels = readTexels(gl, texture, scene.width, scene.height);
        checkEqual(
            Array.from(order, (i) => items[i]),
            (i) => texels[4 * i],
            'item',
        );
        for (let i = items.length; i < scene.capacity; ++i)
            check(texels[4 * i] === none, `texel ${i} behind the last item is ${texels[4 * i]}`);
        check(visibleOf(gl, scene) === items.length, `the status says ${visibleOf(gl, scene)} of ${items.length}`);
        check(scene.itemGlsl.includes('scene_item'), scene.itemGlsl);
        glsort.dispose();
    },

    async 'forty sources from textures, in all forms of the result'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const clouds = Array.from({length: 40}, (_, i) => somePositions(20 + 3 * i, i + 1));
        const inputs = clouds.map((positions) => floatTexture(gl, positions));
        const items = [];
        const depths = [];
        for (const [result, place] of [
            ['r32ui', (i) => 4 * i],
            ['rg32ui', (i) => 4 * i + 1],
            ['rgba32ui', (i) => i],
        ]) {
            const scene = await glsort.createScene({
                result,
                sources: clouds.map((positions) => ({
                    capacity: positions.length / 4,
                    inputs: [{name: 'position'}],
                    view: {frustum: false},
                })),
            });
            // The last sources are empty.
            const counts = clouds.map((positions, i) => (i < 37 ? positions.length / 4 : 0));
            checkNoQuestions(gl, () =>
                scene.sort({
                    sources: counts.map((count, i) => ({
                        count,
                        inputs: {position: inputs[i]},
                        view: {view, projection},
                    })),
                }),
            );
            items.length = depths.length = 0;
            counts.forEach((count, source) => {
                for (let i = 0; i < count; ++i) {
                    items.push(scene.base(source) + i);
                    depths.push(depthOf(clouds[source], i));
                }
            });
            const order = sortedIndices(new Uint32Array(Float32Array.from(depths).buffer), 'f32', 'descending');
            const texels = readTexels(gl, scene.texture, scene.width, scene.height);
            checkEqual(
                Array.from(order, (i) => items[i]),
                (i) => texels[place(i)],
                `item in ${result}`,
            );
            check(texels[place(items.length)] === none, `no mark behind the last item in ${result}`);
            checkNoError(gl);
            scene.dispose();
        }
        glsort.dispose();
    },

    async 'elements outside of the frustum are left out'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const count = 3000;
        const positions = somePositions(count, 4);
        for (let i = 0; i < count; ++i) positions[4 * i] *= 5; // many lie beside what is seen
        const scene = await glsort.createScene({
            result: 'rgba32ui',
            sources: [{capacity: count, inputs: [{name: 'position'}], view: {}}],
        });
        scene.sort({sources: [{count, inputs: {position: floatTexture(gl, positions)}, view: {view, projection}}]});
        const texels = readTexels(gl, scene.texture, scene.width, scene.height);
        const visible = visibleOf(gl, scene);
        const seen = new Set(texels.subarray(0, visible));
        check(seen.size === visible && !seen.has(none), `${seen.size} different items of ${visible}`);
        check(texels[visible] === none, 'no mark behind the last item');
        let inside = 0;
        for (let i = 0; i < count; ++i) {
            const distance = Math.abs(positions[4 * i]) - depthOf(positions, i); // the plane of the right or left side
            if (distance < -1e-3) ++inside;
            if (Math.abs(distance) > 1e-3)
                check(
                    seen.has(i) === distance < 0,
                    `element ${i} at x ${positions[4 * i]} is ${seen.has(i) ? '' : 'not '}there`,
                );
        }
        check(inside > 500 && inside < 2500, `${inside} of ${count} lie inside: the test tests nothing`);
        for (let i = 1; i < visible; ++i)
            check(
                depthOf(positions, texels[i]) <= depthOf(positions, texels[i - 1]),
                `place ${i} is nearer than the one before`,
            );
        checkNoError(gl);
        glsort.dispose();
    },

    async 'keys by GLSL, with values, and both forms with keys'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const numbers = Uint16Array.from({length: 1000}, (_, i) => (i * 7919) % 1009);
        const scene = await glsort.createScene({
            key: 'u32',
            order: 'ascending',
            result: 'rg32ui',
            sources: [
                {
                    name: 'numbers',
                    capacity: 1000,
                    inputs: [{name: 'number', type: 'u16', components: 1, from: 'buffer'}],
                    values: ['factor'],
                    glsl: `bool sort_key(uint element, out uint key) {
                        key = number_at(element).x * uint(factor().x);
                        return key % 2u == 0u;
                    }`,
                },
            ],
        });
        const input = bufferOf(gl, numbers);
        for (const factor of [3, 5]) {
            scene.sort({
                sources: [
                    {count: 998, inputs: {number: {buffer: input, offset: 4}}, values: {factor: [factor, 0, 0, 0]}},
                ],
            });
            const found = Array.from(numbers.subarray(2), (number, item) => ({key: number * factor, item}))
                .filter(({key}) => key % 2 === 0)
                .sort((a, b) => a.key - b.key || a.item - b.item);
            const texels = readTexels(gl, scene.texture, scene.width, scene.height);
            checkEqual(
                found.map(({key}) => key),
                (i) => texels[4 * i],
                'key',
            );
            checkEqual(
                found.map(({item}) => item),
                (i) => texels[4 * i + 1],
                'item',
            );
        }
        checkNoError(gl);
        glsort.dispose();
    },

    async 'quantised keys, and a scene after a lost context'() {
        const gl = makeContext();
        gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        const glsort = await loadGlsort(gl);
        const count = 2000;
        const positions = somePositions(count, 6);
        const scene = await glsort.createScene({
            quantisation: {bits: 12},
            state: 'restore',
            sources: [{capacity: count, inputs: [{name: 'position'}], view: {frustum: false}}],
        });
        const sortAndCheck = () => {
            const texture = scene.sort({
                nearest: 15,
                farthest: 35,
                sources: [{count, inputs: {position: floatTexture(gl, positions)}, view: {view, projection}}],
            });
            const texels = readTexels(gl, texture, scene.width, scene.height);
            const step = 20 / 4096;
            for (let i = 1; i < count; ++i)
                check(
                    depthOf(positions, texels[4 * i]) < depthOf(positions, texels[4 * i - 4]) + 2 * step,
                    `place ${i} is nearer than the one before`,
                );
            check(new Set(Array.from({length: count}, (_, i) => texels[4 * i])).size === count, 'no permutation');
            checkNoError(gl);
        };
        sortAndCheck();
        await checkThrows(() => scene.sort({sources: [{}]}), 'nearest');
        const extension = gl.getExtension('WEBGL_lose_context');
        extension.loseContext();
        await checkThrows(() => scene.sort({sources: []}), 'the context is lost');
        await new Promise((resolve) => setTimeout(resolve, 20));
        extension.restoreContext();
        await scene.ready;
        sortAndCheck();
        glsort.dispose();
    },

    async 'options of scenes that are undefined count as missing'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const {options} = await glsort.createScene({
            key: undefined,
            order: undefined,
            result: undefined,
            state: undefined,
            quantisation: {bits: undefined, scale: undefined},
            sources: [
                {
                    name: undefined,
                    capacity: 10,
                    inputs: [{name: 'position', type: undefined, components: undefined, from: undefined}],
                    view: {measure: undefined, radius: undefined, frustum: undefined, small: undefined},
                    glsl: undefined,
                    values: undefined,
                },
            ],
        });
        const [source] = options.sources;
        const found = [options, options.quantisation, source.inputs[0], source.view].map(Object.values).flat();
        check(!found.includes(undefined), found.join());
        check(source.name === 'sources[0]' && source.view.radius === '', `${source.name}, ${source.view.radius}`);
        check(options.order === 'descending' && options.quantisation.bits === 16, found.join());
        glsort.dispose();
    },

    async 'errors of scenes name the source and the input'() {
        const gl = makeContext();
        const glsort = await loadGlsort(gl);
        const source = {capacity: 10, inputs: [{name: 'position'}], view: {frustum: false}};
        await checkThrows(() => glsort.createScene({}), 'createScene', 'sources is missing');
        await checkThrows(() => glsort.createScene({sources: [null]}), 'sources[0] is null');
        await checkThrows(
            () => glsort.createScene({sources: [{...source, inputs: [{}]}]}),
            'sources[0].inputs[0].name is undefined',
        );
        await checkThrows(() => glsort.createScene({sources: [{...source, name: 5}]}), 'sources[0].name is 5', 'text');
        await checkThrows(
            () => glsort.createScene({sources: [{...source, view: {radius: 5}}]}),
            'sources[0].view.radius is 5',
            'text',
        );
        await checkThrows(
            () => glsort.createScene({sources: [{...source, view: {small: true}}]}),
            'createScene: small needs radius',
        );
        await checkThrows(
            () => glsort.createScene({sources: [{...source, view: null, glsl: 5}]}),
            'sources[0].glsl is 5',
        );
        await checkThrows(() => glsort.createScene({sources: [{...source, values: 'factor'}]}), 'sources[0].values');
        await checkThrows(
            () => glsort.createScene({sources: [source, {...source, view: null}]}),
            'sources[1]',
            'either view or glsl',
        );
        await checkThrows(
            () => glsort.createScene({sources: [{...source, inputs: [{name: 'position', from: 'file'}]}]}),
            "sources[0].inputs[0].from is 'file'",
            "'texture', 'buffer'",
        );
        await checkThrows(
            () =>
                glsort.createScene({
                    sources: [
                        {
                            ...source,
                            view: null,
                            glsl: 'bool sort_key(uint element, out float key) { key = nothing; return true; }',
                        },
                    ],
                }),
            'nothing',
        );
        const scene = await glsort.createScene({sources: [source]});
        const given = {count: 10, inputs: {position: floatTexture(gl, somePositions(10, 1))}, view: {view, projection}};
        await checkThrows(() => scene.sort({sources: [given, given]}), 'sources has 2', '1');
        await checkThrows(() => scene.sort({sources: [null]}), 'sources[0] is null');
        await checkThrows(() => scene.base(1), 'source is 1', '0 to 0');
        await checkThrows(() => scene.sort({sources: [{...given, count: 11}]}), 'sources[0].count is 11', '10');
        await checkThrows(
            () => scene.sort({sources: [{...given, inputs: {}}]}),
            'sources[0].inputs.position.texture is undefined',
        );
        await checkThrows(() => scene.sort({sources: [{...given, view: {view}}]}), 'sources[0].view.projection', '16');
        const small = await glsort.createScene({
            sources: [
                {...source, inputs: [{name: 'position'}, {name: 'radius'}], view: {small: true, radius: 'radius'}},
            ],
        });
        const {position} = given.inputs;
        await checkThrows(
            () => small.sort({sources: [{...given, inputs: {position, radius: position}}]}),
            'sources[0].view.viewportHeight is 0',
        );
        checkNoError(gl);
        glsort.dispose();
    },
};
