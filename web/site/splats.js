// A PLY file of Gaussian splats, as the programs that train splats write: a torus knot with a floor under it.

const properties = ['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3'];

export function syntheticSplats(count, seed = 23) {
    const header = new TextEncoder().encode([
        'ply', 'format binary_little_endian 1.0', `element vertex ${count}`, ...properties.map((name) => `property float ${name}`), 'end_header', '',
    ].join('\n'));
    let state = seed;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const around = (width) => width * (random() + random() + random() - 1.5);
    const floats = new Float32Array(properties.length * count);
    for (let i = 0; i < count; ++i) {
        const onFloor = i % 4 === 0;
        const t = 2 * Math.PI * random();
        const radius = 1.3 + 0.5 * Math.cos(3 * t);
        const place = onFloor ? [around(3.2), -1.1 + around(0.02), around(3.2)]
            : [radius * Math.cos(2 * t) + around(0.16), 0.6 * Math.sin(3 * t) + around(0.16), radius * Math.sin(2 * t) + around(0.16)];
        const shade = onFloor ? [0.25, 0.28, 0.32] : [0.5 + 0.5 * Math.cos(t), 0.5 + 0.5 * Math.cos(t + 2.1), 0.5 + 0.5 * Math.cos(t + 4.2)];
        const size = onFloor ? [0.12, 0.004, 0.12] : [0.07, 0.03, 0.015];
        floats.set([
            ...place, ...shade.map((value) => (value - 0.5) / 0.28209479177387814), onFloor ? 1 : 2, ...size.map((value) => Math.log(value * (0.5 + random()))),
            ...(onFloor ? [1, 0, 0, 0] : [around(1), around(1), around(1), around(1)]),
        ], properties.length * i);
    }
    const file = new Uint8Array(header.length + floats.byteLength);
    file.set(header);
    file.set(new Uint8Array(floats.buffer), header.length);
    return file;
}
