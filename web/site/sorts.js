// The sorts in JavaScript that the page compares with. Each returns the indices in ascending order of the keys.

/** A counting sort of the upper 16 bits, as splat viewers use. */
export function countingSort(keys) {
    const starts = new Uint32Array(65537);
    for (let i = 0; i < keys.length; ++i) ++starts[(keys[i] >>> 16) + 1];
    for (let i = 1; i < starts.length; ++i) starts[i] += starts[i - 1];
    const order = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; ++i) order[starts[keys[i] >>> 16]++] = i;
    return order;
}

/** A radix sort of all 32 bits: four passes of 8 bits. */
export function radixSort(keys) {
    let order = new Uint32Array(keys.length);
    for (let i = 0; i < order.length; ++i) order[i] = i;
    let other = new Uint32Array(keys.length);
    const starts = new Uint32Array(257);
    for (let shift = 0; shift < 32; shift += 8) {
        starts.fill(0);
        for (let i = 0; i < keys.length; ++i) ++starts[((keys[i] >>> shift) & 255) + 1];
        for (let i = 1; i < 257; ++i) starts[i] += starts[i - 1];
        for (let i = 0; i < order.length; ++i) {
            const index = order[i];
            other[starts[(keys[index] >>> shift) & 255]++] = index;
        }
        [order, other] = [other, order];
    }
    return order;
}

/** The sort of a typed array: key and index are one number, which a double holds exactly up to 2^21 keys. */
export function typedArraySort(keys) {
    const places = 2 ** 21;
    const pairs = new Float64Array(keys.length);
    for (let i = 0; i < keys.length; ++i) pairs[i] = keys[i] * places + i;
    pairs.sort();
    const order = new Uint32Array(keys.length);
    for (let i = 0; i < order.length; ++i) order[i] = pairs[i] % places;
    return order;
}
