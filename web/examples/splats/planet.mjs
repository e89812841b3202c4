// Writes planet.ply, a planet with rings and a moon. node planet.mjs FILE

import {writeFile} from 'node:fs/promises';
import {seededRandom, writePly} from '../../site/splats.js';

const [planet, moon, rings, innerRing] = [2400, 300, 3300, 1900];
const goldenAngle = Math.PI * (3 - Math.sqrt(5));
const random = seededRandom(7);
const sunwards = [0.62, 0.42, 0.66];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const mix = (a, b, share) => a.map((value, i) => value + share * (b[i] - value));

/** Points spread evenly over a sphere, from pole to pole. */
function onSphere(i, count) {
    const y = 1 - (2 * i + 1) / count;
    const angle = i * goldenAngle;
    const radius = Math.sqrt(1 - y * y);
    return [radius * Math.cos(angle), y, radius * Math.sin(angle)];
}

/** The quaternion that turns the z axis to `normal`. */
function facing([x, y, z]) {
    return z < -0.9999 ? [0, 1, 0, 0] : [1 + z, -y, x, 0];
}

function lit(color, normal) {
    const light = 0.22 + 0.85 * Math.max(0, dot(normal, sunwards));
    return color.map((value) => Math.min(1, value * light));
}

function planetAt(i) {
    const normal = onSphere(i, planet);
    const band = 0.5 + 0.5 * Math.sin(11 * normal[1] + 0.35 * Math.sin(5 * Math.atan2(normal[2], normal[0])));
    const storm = Math.hypot(normal[0] - 0.35, 1.6 * (normal[1] - 0.2), normal[2] - 0.88) < 0.24;
    const color = storm ? [0.85, 0.3, 0.16] : mix([0.95, 0.8, 0.55], [0.72, 0.48, 0.3], band);
    return {place: normal, color: lit(color, normal), opacity: 4, size: [0.05, 0.05, 0.004], turn: facing(normal)};
}

/** Two rings, with a gap as the one that Cassini saw. */
function ringAt(i) {
    const [inner, outer, first, number] =
        i < innerRing ? [1.35, 1.92, 0, innerRing] : [2.04, 2.35, innerRing, rings - innerRing];
    const radius = Math.sqrt(inner ** 2 + ((outer ** 2 - inner ** 2) * (i - first + 0.5)) / number);
    const angle = (i * goldenAngle) % (2 * Math.PI);
    const tone = 0.55 + 0.25 * Math.sin(16 * radius);
    const place = [radius * Math.cos(angle), 0.012 * (random() - 0.5), radius * Math.sin(angle)];
    // In the shadow of the planet.
    const along = dot(place, sunwards);
    const shadow = along < 0 && Math.hypot(...place.map((value, axis) => value - along * sunwards[axis])) < 1;
    return {
        place,
        color: [tone, 0.93 * tone, 0.8 * tone].map((value) => value * (shadow ? 0.25 : 1.2)),
        opacity: 0.2,
        size: [0.07, 0.004, 0.022],
        turn: [Math.cos((Math.PI / 2 - angle) / 2), 0, Math.sin((Math.PI / 2 - angle) / 2), 0],
    };
}

function moonAt(i) {
    const normal = onSphere(i, moon);
    const place = [1.75, 1.15, -0.9].map((value, axis) => value + 0.24 * normal[axis]);
    return {
        place,
        color: lit([0.62, 0.68, 0.78], normal),
        opacity: 4,
        size: [0.025, 0.025, 0.002],
        turn: facing(normal),
    };
}

/** As training programs write them: y points downwards, so the scene is turned by half a turn around x. */
function downwards({place: [x, y, z], turn: [w, i, j, k], ...rest}) {
    return {...rest, place: [x, -y, -z], turn: [-i, w, -k, j]};
}

const splatAt = (i) =>
    downwards(i < planet ? planetAt(i) : i < planet + moon ? moonAt(i - planet) : ringAt(i - planet - moon));
await writeFile(process.argv[2], writePly(planet + moon + rings, splatAt));
