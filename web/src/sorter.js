// Sorts the keys of one texture.

import {Built} from './built.js';
import {onlyMembers, oneOf, textureFor, whole, withDefaults} from './checks.js';
import {fourPass, indexPass, keyPass} from './passes.js';

const keys = ['u32', 'i32', 'f32'];
const defaults = {
    key: 'u32',
    order: 'ascending',
    capacity: 0,
    payload: 'index',
    source: 'r32ui',
    result: undefined,
    state: 'reset',
};

export class Sorter extends Built {
    constructor(owner, given) {
        const call = 'createSorter';
        onlyMembers(call, 'options', given, Object.keys(defaults));
        const options = withDefaults(defaults, given);
        options.result ??= options.payload === 'none' ? 'r32ui' : 'rg32ui';
        oneOf(call, 'key', options.key, keys);
        oneOf(call, 'order', options.order, ['ascending', 'descending']);
        oneOf(call, 'payload', options.payload, ['index', 'none']);
        oneOf(call, 'source', options.source, options.key === 'f32' ? ['r32ui', 'float'] : ['r32ui']);
        oneOf(call, 'result', options.result, options.payload === 'none' ? ['r32ui'] : ['rg32ui', 'r32ui', 'rgba32ui']);
        oneOf(call, 'state', options.state, ['reset', 'restore']);
        const side = owner.textureSize;
        whole(
            call,
            'capacity',
            options.capacity,
            1,
            side * side,
            `, the texels of the largest texture (${side}x${side})`,
        );
        super(owner, call, options.state === 'restore');
        this.options = Object.freeze(options);
        this.capacity = options.capacity;
        this.begin();
    }

    start() {
        const {key, payload, order, capacity} = this.options;
        this.pointer = this.exports.sorter_new(
            keys.indexOf(key),
            payload === 'index' ? 1 : 0,
            order === 'descending' ? 1 : 0,
            capacity,
        );
        if (!this.pointer) this.checked(-1);
        this.room = this.exports.malloc(8);
        this.passes = null;
    }

    step(time) {
        if (!this.checked(this.exports.sorter_ready(this.pointer, time))) return false;
        if (!this.passes) this.makePasses();
        return this.passes.every((pass) => pass.ready());
    }

    makePasses() {
        const {gl, options} = this;
        // The texture belongs to the sorter. A sort of nothing tells its size.
        this.texture = this.sorted(0, 0, 0, 0);
        this.keys = options.source === 'float' ? keyPass(gl, this.width, this.height) : null;
        const convert = options.payload === 'none' ? null : {r32ui: indexPass, rgba32ui: fourPass}[options.result];
        this.form = convert ? convert(gl, this.width, this.height) : null;
        this.passes = [this.keys, this.form].filter(Boolean);
    }

    finish() {
        if (this.form) this.texture = this.form.texture;
        if (this.options.result === 'rgba32ui') this.height = Math.ceil(this.height / 4);
    }

    /** Sorts, and returns the texture of keys and indices. */
    sorted(name, width, height, count) {
        const order = this.checked(
            this.exports.sorter_sort(this.pointer, name, width, height, count, this.room),
            'sort',
        );
        const words = this.webgl.words();
        this.width = words[this.room >> 2];
        if (!this.isReady) this.height = words[(this.room >> 2) + 1];
        return this.webgl.objectOf(order);
    }

    sort(source, count) {
        const call = 'sort';
        this.require(call);
        whole(call, 'count', count, 0, this.capacity, ', the capacity');
        const {texture, width, height, channel = 0} = textureFor(call, 'source', source, count);
        whole(
            call,
            'source.channel',
            channel,
            0,
            this.keys ? 3 : 0,
            this.keys ? '' : ": the sorter was made for source 'r32ui'",
        );
        if (count === 0) return this.texture;
        this.inContext(() => {
            let order;
            if (this.keys) {
                const own = this.keys.run(texture, count, channel);
                order = this.sorted(this.webgl.nameOf(own), this.keys.width, Math.ceil(count / this.keys.width), count);
            } else {
                order = this.sorted(this.webgl.nameOf(texture), width, height, count);
            }
            this.form?.run(order, count);
        });
        return this.texture;
    }

    /** The stream program of a sort, as text. Only in the module for tools. */
    program(count) {
        this.require('program');
        if (!this.exports.sorter_program) throw new Error('program: the module cannot print; load tools.wasm');
        this.checked(this.exports.sorter_program(this.pointer, count), 'program');
        return this.webgl.textAt(this.exports.last_text());
    }

    free(lost) {
        if (this.pointer) this.exports.sorter_delete(this.pointer, lost ? 1 : 0);
        if (this.room) this.exports.free(this.room);
        for (const pass of this.passes ?? []) {
            this.webgl.forget(pass.texture);
            if (!lost) pass.dispose();
        }
        this.room = 0;
        this.passes = this.keys = this.form = this.texture = null;
    }
}
