// Reads PLY files: points with colours, and Gaussian splats as the programs that train them write.

const sizes = {
    char: 1,
    uchar: 1,
    int8: 1,
    uint8: 1,
    short: 2,
    ushort: 2,
    int16: 2,
    uint16: 2,
    int: 4,
    uint: 4,
    int32: 4,
    uint32: 4,
    float: 4,
    float32: 4,
    double: 8,
    float64: 8,
};
const readers = {
    char: 'getInt8',
    int8: 'getInt8',
    uchar: 'getUint8',
    uint8: 'getUint8',
    short: 'getInt16',
    int16: 'getInt16',
    ushort: 'getUint16',
    uint16: 'getUint16',
    int: 'getInt32',
    int32: 'getInt32',
    uint: 'getUint32',
    uint32: 'getUint32',
    float: 'getFloat32',
    float32: 'getFloat32',
    double: 'getFloat64',
    float64: 'getFloat64',
};
// The spherical harmonic of degree 0.
const harmonic = 0.28209479177387814;

function countOf(text) {
    if (!/^\d+$/.test(text)) throw new Error(`parsePly: '${text}' is no number of vertices`);
    return Number(text);
}

function readHeader(bytes) {
    const start = new TextDecoder('latin1').decode(bytes.subarray(0, 65536));
    const end = start.match(/end_header\r?\n/);
    if (!start.startsWith('ply') || !end) throw new Error('parsePly: this is no PLY file: its header is missing');
    const header = {format: '', count: 0, properties: [], data: end.index + end[0].length};
    let element = '';
    for (const line of start.slice(0, end.index).split(/\r?\n/)) {
        const words = line.trim().split(/\s+/);
        if (words[0] === 'format') header.format = words[1];
        if (words[0] === 'element') {
            element = words[1];
            if (element === 'vertex') header.count = countOf(words[2]);
            else if (header.properties.length === 0)
                throw new Error(`parsePly: element ${element} lies before the vertices`);
        }
        if (words[0] !== 'property' || element !== 'vertex') continue;
        if (!sizes[words[1]])
            throw new Error(
                `parsePly: property ${words[words.length - 1]} has the type ${words[1]}; it must be a number`,
            );
        header.properties.push({name: words[2], type: words[1]});
    }
    return header;
}

/** What a file stores for full intensity: the greatest number of an integer type, and 1 for other types. */
function greatest(type) {
    if (type.startsWith('f') || type.startsWith('d')) return 1;
    const bits = 8 * sizes[type];
    return 2 ** (type.startsWith('u') ? bits : bits - 1) - 1;
}

/** A function that gives a property of vertex i, or null if there is no such property. */
function makeReaders(bytes, header) {
    const {format, count, properties, data} = header;
    if (format === 'ascii') {
        const numbers = new TextDecoder('latin1').decode(bytes.subarray(data)).trim().split(/\s+/).map(Number);
        if (numbers.length < count * properties.length)
            throw new Error(`parsePly: the file ends before vertex ${count - 1}`);
        return (name) => {
            const column = properties.findIndex((property) => property.name === name);
            return column < 0 ? null : (i) => numbers[i * properties.length + column];
        };
    }
    const little = format === 'binary_little_endian';
    if (!little && format !== 'binary_big_endian') throw new Error(`parsePly: format '${format}' is unknown`);
    const stride = properties.reduce((sum, {type}) => sum + sizes[type], 0);
    if (data + count * stride > bytes.length) throw new Error(`parsePly: the file ends before vertex ${count - 1}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset + data);
    return (name) => {
        let offset = 0;
        for (const property of properties) {
            const read = readers[property.type];
            const place = offset;
            if (property.name === name) return (i) => view[read](i * stride + place, little);
            offset += sizes[property.type];
        }
        return null;
    };
}

/** Writes the upper triangle of R S S^T R^T. */
function writeCovariance(out, at, [w, x, y, z], scale) {
    const length = Math.hypot(w, x, y, z) || 1;
    [w, x, y, z] = [w / length, x / length, y / length, z / length];
    const rotation = [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ];
    const entry = (r, c) =>
        [0, 1, 2].reduce((sum, k) => sum + rotation[3 * r + k] * rotation[3 * c + k] * scale[k] * scale[k], 0);
    [
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 1],
        [1, 2],
        [2, 2],
    ].forEach(([r, c], i) => {
        out[at + i] = entry(r, c);
    });
}

/** Files have colours as screens show them. three.js computes with linear ones. */
function linear(value) {
    return value <= 0.04045 ? Math.max(value, 0) / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function bytesOf(given) {
    if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    if (Object.prototype.toString.call(given) === '[object ArrayBuffer]') return new Uint8Array(given);
    const type = given?.constructor?.name ?? typeof given;
    throw new TypeError(`parsePly: the file is of type ${type}; give an ArrayBuffer, a typed array or a DataView`);
}

/**
 * Positions (x, y, z, 1), linear colours and opacities (0 to 1), and for splats covariances (xx, xy, xz, yy, yz, zz, 0,
 * 0).
 */
export function parsePly(given) {
    const bytes = bytesOf(given);
    const header = readHeader(bytes);
    const {count} = header;
    const reader = makeReaders(bytes, header);
    const all = (...names) => {
        const found = names.map(reader);
        return found.every(Boolean) ? found : null;
    };
    const place = all('x', 'y', 'z');
    if (!place) throw new Error('parsePly: the vertices have no x, y and z');
    const scale = all('scale_0', 'scale_1', 'scale_2');
    const rotation = all('rot_0', 'rot_1', 'rot_2', 'rot_3');
    const harmonics = all('f_dc_0', 'f_dc_1', 'f_dc_2');
    const level = (name) => {
        const read = reader(name);
        if (!read) return null;
        const most = greatest(header.properties.find((property) => property.name === name).type);
        return (i) => read(i) / most;
    };
    const levels = ['red', 'green', 'blue'].map(level);
    const alpha = level('alpha');
    const opacity = reader('opacity');
    const positions = new Float32Array(4 * count);
    const colors = new Float32Array(4 * count).fill(1);
    const covariances = scale && rotation ? new Float32Array(8 * count) : null;
    for (let i = 0; i < count; ++i) {
        positions.set([place[0](i), place[1](i), place[2](i), 1], 4 * i);
        if (harmonics)
            harmonics.forEach((read, c) => {
                colors[4 * i + c] = linear(0.5 + harmonic * read(i));
            });
        else if (levels.every(Boolean))
            levels.forEach((read, c) => {
                colors[4 * i + c] = linear(read(i));
            });
        if (alpha) colors[4 * i + 3] = alpha(i);
        // The file has the opacity before the logistic function.
        if (opacity) colors[4 * i + 3] = 1 / (1 + Math.exp(-opacity(i)));
        if (covariances)
            writeCovariance(
                covariances,
                8 * i,
                rotation.map((read) => read(i)),
                scale.map((read) => Math.exp(read(i))),
            );
    }
    return {count, positions, colors, covariances};
}
