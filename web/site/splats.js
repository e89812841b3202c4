// PLY files of Gaussian splats, as the programs that train splats write them.

const properties = [
    'x',
    'y',
    'z',
    'f_dc_0',
    'f_dc_1',
    'f_dc_2',
    'opacity',
    'scale_0',
    'scale_1',
    'scale_2',
    'rot_0',
    'rot_1',
    'rot_2',
    'rot_3',
];

/** Numbers from 0 to 1, from a seed: the same in every run. */
export function seededRandom(seed) {
    let state = seed;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/**
 * The bytes of a file with `count` splats. `splatAt(i)`: the place, the colour from 0 to 1, the opacity before the
 * logistic function, the size along three axes, and the quaternion (w, x, y, z) that turns these.
 */
export function writePly(count, splatAt) {
    const header = new TextEncoder().encode(
        [
            'ply',
            'format binary_little_endian 1.0',
            `element vertex ${count}`,
            ...properties.map((name) => `property float ${name}`),
            'end_header',
            '',
        ].join('\n'),
    );
    const floats = new Float32Array(properties.length * count);
    for (let i = 0; i < count; ++i) {
        const {place, color, opacity, size, turn} = splatAt(i);
        const harmonics = color.map((value) => (value - 0.5) / 0.28209479177387814);
        floats.set([...place, ...harmonics, opacity, ...size.map(Math.log), ...turn], properties.length * i);
    }
    const file = new Uint8Array(header.length + floats.byteLength);
    file.set(header);
    file.set(new Uint8Array(floats.buffer), header.length);
    return file;
}

/** A torus knot with a floor under it. */
export function syntheticSplats(count, seed = 23) {
    const random = seededRandom(seed);
    const around = (width) => width * (random() + random() + random() - 1.5);
    return writePly(count, (i) => {
        const onFloor = i % 4 === 0;
        const t = 2 * Math.PI * random();
        const radius = 1.3 + 0.5 * Math.cos(3 * t);
        const place = onFloor
            ? [around(3.2), -1.1 + around(0.02), around(3.2)]
            : [
                  radius * Math.cos(2 * t) + around(0.16),
                  0.6 * Math.sin(3 * t) + around(0.16),
                  radius * Math.sin(2 * t) + around(0.16),
              ];
        return {
            place,
            color: onFloor ? [0.25, 0.28, 0.32] : [0, 2.1, 4.2].map((phase) => 0.5 + 0.5 * Math.cos(t + phase)),
            opacity: onFloor ? 1 : 2,
            size: (onFloor ? [0.12, 0.004, 0.12] : [0.07, 0.03, 0.015]).map((value) => value * (0.5 + random())),
            turn: onFloor ? [1, 0, 0, 0] : [around(1), around(1), around(1), around(1)],
        };
    });
}
