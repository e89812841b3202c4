// Objects for a scene of three.js, drawn from back to front.

import {
    BufferAttribute,
    BufferGeometry,
    CustomBlending,
    InstancedBufferGeometry,
    Mesh,
    NormalBlending,
    OneFactor,
    OneMinusSrcAlphaFactor,
    Points,
    ShaderMaterial,
    Vector2,
    Vector4,
} from 'three';
import {finite} from '../src/checks.js';
import {dataTexture, elementsOf, orderGlsl, SortedOrder} from './order.js';

const head = `
precision highp float;
precision highp int;
#include <common>
#include <logdepthbuf_pars_vertex>
${orderGlsl}
uniform highp sampler2D glsortPositions;
uniform highp sampler2D glsortColors;
out vec4 color;
// Behind the far plane, where nothing is drawn.
const vec4 nowhere = vec4(0.0, 0.0, 2.0, 1.0);
// Returns false if there is nothing to draw. Else eye is where the element is, seen from the camera.
bool begin_element(uint element, out vec4 eye) {
    gl_Position = nowhere;
    color = vec4(0.0);
    eye = vec4(0.0);
    if (element == 0xffffffffu) return false;
    eye = modelViewMatrix * vec4(glsort_fetch(glsortPositions, element).xyz, 1.0);
    color = glsort_fetch(glsortColors, element);
    return true;
}
`;

const fragmentHead = `
precision highp float;
#include <logdepthbuf_pars_fragment>
uniform float opacity;
in vec4 color;
`;

// As all materials of three.js: colours are linear up to here.
const toScreen = `
#include <logdepthbuf_fragment>
#include <tonemapping_fragment>
#include <colorspace_fragment>
`;

const pointShader = `${head}
uniform float size;
uniform vec2 viewport;
void main() {
    vec4 eye;
    gl_PointSize = 1.0;
    if (!begin_element(glsort_element(gl_VertexID), eye)) return;
    gl_Position = projectionMatrix * eye;
    gl_PointSize = max(1.0, size * projectionMatrix[1][1] * viewport.y / (2.0 * gl_Position.w));
    #include <logdepthbuf_vertex>
}`;

const pointFragment = `${fragmentHead}
void main() {
    vec2 place = gl_PointCoord - 0.5;
    if (dot(place, place) > 0.25) discard;
    gl_FragColor = vec4(color.rgb, color.a * opacity);
    ${toScreen}
}`;

const quadShader = `${head}
uniform float size;
out vec2 corner;
void main() {
    vec4 eye;
    corner = position.xy;
    if (!begin_element(glsort_element(gl_InstanceID), eye)) return;
    eye.xy += 0.5 * size * corner;
    gl_Position = projectionMatrix * eye;
    #include <logdepthbuf_vertex>
}`;

const quadFragment = `${fragmentHead}
in vec2 corner;
void main() {
    if (dot(corner, corner) > 1.0) discard;
    gl_FragColor = vec4(color.rgb, color.a * opacity);
    ${toScreen}
}`;

// A Gaussian in space becomes a Gaussian on the screen (Zwicker et al. 2001, EWA splatting).
const splatShader = `${head}
uniform highp sampler2D glsortCovariances;
uniform vec2 viewport;
out vec2 corner;
void main() {
    uint element = glsort_element(gl_InstanceID);
    vec4 eye;
    corner = vec2(0.0);
    if (!begin_element(element, eye)) return;
    vec4 center = projectionMatrix * eye;
    // Nothing is drawn outside of the picture, or where the position is no number.
    if (!(center.w > 0.0 && all(lessThan(abs(center.xy), vec2(1.3 * center.w))))) return;
    vec4 a = glsort_fetch(glsortCovariances, 2u * element), b = glsort_fetch(glsortCovariances, 2u * element + 1u);
    mat3 covariance = mat3(a.x, a.y, a.z, a.y, a.w, b.x, a.z, b.x, b.y);
    // The derivatives of the place in pixels. Where the projection is parallel, the depth changes nothing.
    vec2 focal = 0.5 * viewport * vec2(projectionMatrix[0][0], projectionMatrix[1][1]);
    mat3 jacobian = projectionMatrix[3][3] == 1.0
        ? mat3(focal.x, 0.0, 0.0, 0.0, focal.y, 0.0, 0.0, 0.0, 0.0)
        : mat3(focal.x / -eye.z, 0.0, 0.0, 0.0, focal.y / -eye.z, 0.0,
            focal.x * eye.x / (eye.z * eye.z), focal.y * eye.y / (eye.z * eye.z), 0.0);
    mat3 turned = jacobian * mat3(modelViewMatrix);
    mat3 flat_ = turned * covariance * transpose(turned);
    // Not smaller than a pixel.
    float xx = flat_[0][0] + 0.3, xy = flat_[0][1], yy = flat_[1][1] + 0.3;
    float middle = 0.5 * (xx + yy), apart = length(vec2(0.5 * (xx - yy), xy));
    float major = middle + apart, minor = max(middle - apart, 0.1);
    vec2 axis = abs(xy) > 1e-6 ? normalize(vec2(xy, major - xx)) : xx >= yy ? vec2(1.0, 0.0) : vec2(0.0, 1.0);
    corner = 3.0 * position.xy;
    vec2 radii = min(sqrt(vec2(major, minor)), 1024.0);
    vec2 pixels = corner.x * radii.x * axis + corner.y * radii.y * vec2(-axis.y, axis.x);
    gl_Position = vec4(center.xy + 2.0 * pixels / viewport * center.w, center.zw);
    #include <logdepthbuf_vertex>
}`;

const splatFragment = `${fragmentHead}
in vec2 corner;
void main() {
    float square = dot(corner, corner);
    if (square > 9.0) discard;
    float alpha = color.a * opacity * exp(-0.5 * square);
    gl_FragColor = vec4(color.rgb, alpha);
    ${toScreen}
    gl_FragColor.rgb *= alpha;
}`;

function quads(count) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute(
        'position',
        new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3),
    );
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    geometry.instanceCount = count;
    return geometry;
}

function materialOf(order, colors, vertexShader, fragmentShader, uniforms, parameters = {}) {
    const viewport = new Vector2(1, 1);
    const material = new ShaderMaterial({
        vertexShader,
        fragmentShader,
        transparent: true,
        depthWrite: false,
        blending: NormalBlending,
        uniforms: {
            ...order.uniforms,
            glsortPositions: {value: order.positions},
            glsortColors: {value: colors},
            opacity: {value: 1},
            viewport: {value: viewport},
            ...uniforms,
        },
        ...parameters,
    });
    // The viewport is known only when the object is drawn.
    const current = new Vector4();
    material.onBeforeRender = (renderer) => {
        renderer.getCurrentViewport(current);
        viewport.set(current.z, current.w);
        material.uniformsNeedUpdate = true;
    };
    return material;
}

/** What the three classes share: made for a renderer, sorted by `update`. `callName`: for errors. */
const sorted = (Base) =>
    class extends Base {
        /** `colors`: as positions, of red, green, blue and opacity from 0 to 1. */
        static async create(renderer, {colors, size = 0.05, covariances, ...options} = {}) {
            const call = this.callName;
            if (finite(call, 'size', size) < 0) throw new Error(`${call}: size is ${size}; it must be at least 0`);
            const elements = colors ? elementsOf(call, 'colors', colors, [Float32Array]) : Infinity;
            const order = await SortedOrder.create(renderer, options);
            try {
                if (elements < order.count)
                    throw new Error(`${call}: colors has ${elements} elements; positions has ${order.count}`);
                const given = colors ?? new Float32Array(4 * order.count).fill(1);
                const texture = given.isTexture ? given : dataTexture(renderer, call, 'colors', given);
                const made = new this(order, texture, size, covariances);
                made.order = order;
                made.ownsColors = texture !== given;
                made.colors = texture;
                made.frustumCulled = false; // The elements tell where the object is, and only the GPU knows them.
                return made;
            } catch (error) {
                order.dispose();
                throw error;
            }
        }
        /** Sorts for a camera. Call before `renderer.render`. If nothing was sorted, nothing is drawn. */
        update(camera) {
            this.colors.userData.refresh?.();
            // Whether the object itself is visible is the page's choice.
            this.material.visible = this.order.update(camera, this);
            return this.material.visible;
        }
        /** No ray hits the object: only the GPU knows where the elements are on the screen. */
        raycast() {}
        dispose() {
            this.order.dispose();
            this.geometry.dispose();
            this.material.dispose();
            if (this.ownsColors) this.colors.dispose();
            this.covariances?.dispose();
        }
    };

/** Round points, `size` wide in the units of the scene. */
export class SortedPoints extends sorted(Points) {
    static callName = 'SortedPoints.create';
    constructor(order, colors, size) {
        const geometry = new BufferGeometry();
        geometry.setDrawRange(0, order.count);
        super(geometry, materialOf(order, colors, pointShader, pointFragment, {size: {value: size}}));
    }
}

/** Discs that face the camera. Unlike points they have no greatest size. */
export class SortedQuads extends sorted(Mesh) {
    static callName = 'SortedQuads.create';
    constructor(order, colors, size) {
        super(quads(order.count), materialOf(order, colors, quadShader, quadFragment, {size: {value: size}}));
    }
}

/** Gaussian splats, as `parsePly` returns them. */
export class SortedSplats extends sorted(Mesh) {
    static callName = 'SortedSplats.create';
    /** `splats`: the result of `parsePly`. */
    static async create(renderer, splats, options = {}) {
        if (!splats?.covariances)
            throw new Error('SortedSplats.create: splats has no covariances: the file has points; use SortedPoints');
        return super.create(renderer, {
            positions: new BufferAttribute(splats.positions, 4),
            colors: splats.colors,
            covariances: splats.covariances,
            ...options,
        });
    }
    constructor(order, colors, size, covariances) {
        const call = SortedSplats.callName;
        const least = 8 * order.count;
        if (!(covariances instanceof Float32Array) || covariances.length < least)
            throw new Error(
                `${call}: covariances has ${covariances.length} numbers; it must be a Float32Array with ${least}`,
            );
        const texture = dataTexture(order.renderer, call, 'covariances', covariances, 2);
        super(
            quads(order.count),
            materialOf(
                order,
                colors,
                splatShader,
                splatFragment,
                {glsortCovariances: {value: texture}},
                {
                    blending: CustomBlending,
                    blendSrc: OneFactor,
                    blendDst: OneMinusSrcAlphaFactor,
                    premultipliedAlpha: true,
                },
            ),
        );
        this.covariances = texture;
    }
}
