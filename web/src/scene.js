// Sorts elements whose keys are computed, from several sources.

import {Built} from './built.js';
import {finite, numbers, onlyMembers, oneOf, text, textureFor, whole, withDefaults} from './checks.js';
import {makeTexture} from './passes.js';

const keys = ['u32', 'i32', 'f32'];
const types = ['f32', 'f16', 'u32', 'u16'];
const forms = ['r32ui', 'rg32ui', 'rgba32ui'];
const mostSources = 64;
const defaults = {
    sources: undefined,
    key: 'f32',
    order: 'descending',
    result: 'r32ui',
    quantisation: null,
    state: 'reset',
};

function checkedSource(call, name, given) {
    onlyMembers(call, name, given ?? null, ['name', 'capacity', 'inputs', 'view', 'glsl', 'values']);
    const source = withDefaults({name, values: [], view: null, glsl: ''}, given);
    text(call, `${name}.name`, source.name);
    whole(call, `${name}.capacity`, source.capacity, 1, 0xfffffffe);
    if (!Array.isArray(source.inputs) || source.inputs.length === 0)
        throw new Error(`${call}: ${name}.inputs is missing; it must be a list of inputs`);
    if (!source.view === !source.glsl)
        throw new Error(`${call}: ${name} needs either view or glsl, which say how keys are computed`);
    if (source.glsl) text(call, `${name}.glsl`, source.glsl);
    if (!Array.isArray(source.values)) throw new Error(`${call}: ${name}.values must be a list of names`);
    source.values.forEach((value, i) => text(call, `${name}.values[${i}]`, value));
    source.inputs = source.inputs.map((input, i) => {
        const place = `${name}.inputs[${i}]`;
        onlyMembers(call, place, input ?? null, ['name', 'type', 'components', 'from', 'stride', 'offset']);
        const checked = withDefaults({type: 'f32', components: 4, from: 'texture', stride: 0, offset: 0}, input);
        text(call, `${place}.name`, checked.name);
        oneOf(call, `${place}.from`, checked.from, ['texture', 'buffer']);
        oneOf(call, `${place}.type`, checked.type, checked.from === 'texture' ? ['f32', 'u32'] : types);
        whole(call, `${place}.components`, checked.components, 1, 4);
        whole(call, `${place}.stride`, checked.stride, 0, 65536);
        whole(call, `${place}.offset`, checked.offset, 0, 65536);
        return checked;
    });
    if (source.view) {
        onlyMembers(call, `${name}.view`, source.view, ['measure', 'radius', 'frustum', 'small']);
        source.view = withDefaults({measure: 'depth', radius: '', frustum: true, small: false}, source.view);
        oneOf(call, `${name}.view.measure`, source.view.measure, ['depth', 'distance']);
        if (source.view.radius !== '') text(call, `${name}.view.radius`, source.view.radius);
    }
    return source;
}

export class Scene extends Built {
    constructor(owner, given) {
        const call = 'createScene';
        onlyMembers(call, 'options', given, Object.keys(defaults));
        const options = withDefaults(defaults, given);
        oneOf(call, 'key', options.key, keys);
        oneOf(call, 'order', options.order, ['ascending', 'descending']);
        oneOf(call, 'result', options.result, forms);
        oneOf(call, 'state', options.state, ['reset', 'restore']);
        if (!Array.isArray(options.sources))
            throw new Error(`${call}: sources is missing; it must be a list of sources`);
        whole(call, 'sources.length', options.sources.length, 1, mostSources);
        options.sources = options.sources.map((source, i) => checkedSource(call, `sources[${i}]`, source));
        if (options.quantisation) {
            onlyMembers(call, 'quantisation', options.quantisation, ['bits', 'scale']);
            options.quantisation = withDefaults({bits: 16, scale: 'linear'}, options.quantisation);
            whole(call, 'quantisation.bits', options.quantisation.bits, 8, 32);
            oneOf(call, 'quantisation.scale', options.quantisation.scale, ['linear', 'reciprocal']);
        }
        const capacity = options.sources.reduce((sum, source) => sum + source.capacity, 0);
        const side = owner.textureSize;
        whole(
            call,
            'the sum of all capacities',
            capacity,
            1,
            side * side,
            `, the texels of the largest texture (${side}x${side})`,
        );
        super(owner, call, options.state === 'restore');
        this.options = Object.freeze(options);
        this.capacity = capacity;
        this.begin();
    }

    /** The item number of element 0 of a source. */
    base(source) {
        whole('base', 'source', source, 0, this.options.sources.length - 1);
        return this.options.sources.slice(0, source).reduce((sum, {capacity}) => sum + capacity, 0);
    }

    start() {
        const {exports, gl} = this;
        const options = this.options;
        const bits = options.quantisation?.bits ?? 0;
        this.pointer = exports.scene_new(
            keys.indexOf(options.key),
            options.order === 'descending' ? 1 : 0,
            forms.indexOf(options.result),
            bits,
            options.quantisation?.scale === 'reciprocal' ? 1 : 0,
        );
        for (const source of options.sources) this.addSource(source);
        this.checked(exports.scene_start(this.pointer));
        const {capacity} = this;
        const texels = options.result === 'rgba32ui' ? Math.ceil(capacity / 4) : capacity;
        this.width = Math.min(2 ** Math.ceil(Math.log2(texels) / 2), this.owner.textureSize);
        this.height = Math.ceil(texels / this.width);
        this.texture = makeTexture(gl, gl[options.result.toUpperCase()], this.width, this.height);
        // The texture, the two ends of the range of keys, and what a source takes at most.
        this.room = exports.malloc(
            4 *
                options.sources.reduce(
                    (sum, source) => sum + 1 + 3 * source.inputs.length + Math.max(34, 4 * source.values.length),
                    5,
                ),
        );
    }

    addSource(source) {
        const {exports, pointer} = this;
        this.withTexts([source.name, source.glsl], (name, glsl) =>
            exports.scene_source(pointer, name, source.capacity, glsl),
        );
        for (const input of source.inputs)
            this.withTexts([input.name], (name) =>
                exports.scene_input(
                    pointer,
                    name,
                    types.indexOf(input.type),
                    input.components,
                    input.stride,
                    input.offset,
                    input.from === 'texture' ? 1 : 0,
                ),
            );
        for (const value of source.values) this.withTexts([value], (name) => exports.scene_value(pointer, name));
        if (!source.view) return;
        const {measure, radius, frustum, small} = source.view;
        this.withTexts([radius], (name) =>
            this.checked(
                exports.scene_view_keys(pointer, measure === 'distance' ? 1 : 0, name, frustum ? 1 : 0, small ? 1 : 0),
            ),
        );
    }

    step(time) {
        return this.checked(this.exports.scene_ready(this.pointer, time)) !== 0;
    }

    finish() {
        this.status = this.webgl.objectOf(this.checked(this.exports.scene_status(this.pointer)));
        this.checked(this.exports.scene_items(this.pointer));
        /** GLSL of `uvec2 scene_item(uint item)`: the source and the element of an item. */
        this.itemGlsl = this.webgl.textAt(this.exports.last_text());
    }

    sort(given) {
        const call = 'sort';
        this.require(call);
        onlyMembers(call, 'arguments', given, ['sources', 'nearest', 'farthest']);
        const {sources} = this.options;
        if (given?.sources?.length !== sources.length)
            throw new Error(
                `${call}: sources has ${given?.sources?.length ?? 'no'} entries; the scene has ${sources.length}`,
            );
        const {quantisation} = this.options;
        const nearest = quantisation ? finite(call, 'nearest', given.nearest) : 0;
        const farthest = quantisation ? finite(call, 'farthest', given.farthest) : 0;
        if (quantisation && !(nearest < farthest))
            throw new Error(`${call}: nearest is ${nearest}; it must be below farthest, ${farthest}`);
        const words = this.webgl.words();
        const floats = new Float32Array(words.buffer);
        let next = this.room >> 2;
        const put = (value) => {
            words[next++] = value;
        };
        const putFloats = (values) => {
            floats.set(values, next);
            next += values.length;
        };
        const putTexture = ({texture, width, height}) => {
            put(this.webgl.nameOf(texture));
            put(width);
            put(height);
        };
        putTexture(this);
        putFloats([nearest, farthest]);
        sources.forEach((source, i) => {
            const place = `sources[${i}]`;
            onlyMembers(call, place, given.sources[i] ?? null, ['count', 'inputs', 'view', 'values']);
            const {count, inputs, view, values} = given.sources[i];
            put(whole(call, `${place}.count`, count, 0, source.capacity, ', the capacity of the source'));
            for (const input of source.inputs) {
                const name = `${place}.inputs.${input.name}`;
                const value = inputs?.[input.name];
                if (input.from === 'texture') {
                    putTexture(textureFor(call, name, value, count));
                } else {
                    if (!(value?.buffer instanceof WebGLBuffer))
                        throw new Error(`${call}: ${name}.buffer is ${value?.buffer}; it must be a WebGLBuffer`);
                    put(this.webgl.nameOf(value.buffer));
                    put(whole(call, `${name}.offset`, value.offset ?? 0, 0, 0xfffffffc));
                }
            }
            if (source.view) {
                putFloats(numbers(call, `${place}.view.view`, view?.view, 16));
                putFloats(numbers(call, `${place}.view.projection`, view?.projection, 16));
                const {viewportHeight = 0, minPixels = 1} = view;
                if (source.view.small) whole(call, `${place}.view.viewportHeight`, viewportHeight, 1, 65536);
                putFloats([viewportHeight, finite(call, `${place}.view.minPixels`, minPixels)]);
            } else {
                for (const value of source.values)
                    putFloats(numbers(call, `${place}.values.${value}`, values?.[value], 4));
            }
        });
        this.inContext(() => this.checked(this.exports.scene_sort(this.pointer, this.room), call));
        return this.texture;
    }

    free(lost) {
        if (this.pointer) this.exports.scene_delete(this.pointer, lost ? 1 : 0);
        if (this.room) this.exports.free(this.room);
        if (this.texture) this.webgl.forget(this.texture);
        if (this.texture && !lost) this.gl.deleteTexture(this.texture);
        this.room = 0;
        this.texture = this.status = null;
    }
}
