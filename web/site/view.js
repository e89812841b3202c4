// The scene that turns: splats or points in three.js, sorted by glsort for each picture.

import * as THREE from 'three';
import {glsortOf, parsePly, SortedPoints, SortedSplats} from 'glsort/three';
import {syntheticSplats} from './splats.js';

/** A cloud of points on waves, with colours. */
function wavePoints(count) {
    const positions = new Float32Array(4 * count);
    const colors = new Float32Array(4 * count);
    for (let i = 0; i < count; ++i) {
        const [x, z] = [4 * Math.random() - 2, 4 * Math.random() - 2];
        const y = 0.5 * Math.sin(3 * x) * Math.cos(3 * z) + 0.8 * (Math.random() - 0.5);
        positions.set([x, y, z, 1], 4 * i);
        colors.set([0.5 + 0.5 * Math.sin(2 * x), 0.5 + 0.4 * y, 0.5 + 0.5 * Math.cos(2 * z), 0.6], 4 * i);
    }
    return {count, positions, colors, covariances: null};
}

/** The middle and the size of what is shown, without the outermost elements. */
function frameOf({positions, count}) {
    const step = Math.max(1, Math.floor(count / 5000));
    const axes = [0, 1, 2].map((axis) => {
        const values = [];
        for (let i = 0; i < count; i += step) values.push(positions[4 * i + axis]);
        return values.filter(Number.isFinite).sort((a, b) => a - b);
    });
    const at = (values, share) => values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
    return {
        center: new THREE.Vector3(...axes.map((values) => at(values, 0.5))),
        size: Math.max(1e-3, ...axes.map((values) => at(values, 0.95) - at(values, 0.05))),
    };
}

export class SceneView {
    constructor(canvas, module, report) {
        this.canvas = canvas;
        this.report = report;
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: false, powerPreference: 'high-performance'});
        this.module = module;
        this.scene = new THREE.Scene();
        // three.js forgets its clear colour when the context is lost.
        this.scene.background = new THREE.Color(0x10131a);
        this.camera = new THREE.PerspectiveCamera(45, 1, 0.05, 500);
        this.angles = {across: 0.5, up: 0.35};
        this.zoom = 1;
        this.sorting = true;
        this.turning = true;
        this.paused = false; // While the bench measures, and out of sight, nothing is drawn.
        this.object = null;
        this.shows = 0;
        this.listen();
    }

    listen() {
        const {canvas, angles} = this;
        // The order is gone then, also while nothing sorts.
        canvas.addEventListener('webglcontextlost', () => {
            this.isSorted = false;
        });
        let last = null; // Not every browser tells movements of fingers.
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            last = event;
        });
        canvas.addEventListener('pointermove', (event) => {
            if (!canvas.hasPointerCapture(event.pointerId)) return;
            angles.across -= 0.006 * (event.clientX - last.clientX);
            this.tilt(0.006 * (event.clientY - last.clientY));
            last = event;
        });
        canvas.addEventListener(
            'wheel',
            (event) => {
                event.preventDefault();
                this.zoom = Math.min(8, Math.max(0.2, this.zoom * Math.exp(0.001 * event.deltaY)));
            },
            {passive: false},
        );
        canvas.addEventListener('keydown', (event) => {
            const turns = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]}[
                event.key
            ];
            if (!turns) return;
            event.preventDefault();
            angles.across += turns[0];
            this.tilt(turns[1]);
        });
    }
    tilt(by) {
        this.angles.up = Math.min(1.5, Math.max(-1.5, this.angles.up + by));
    }

    /** `kind`: splats or points, of the page's own making. */
    show(kind, count) {
        return this.showData(kind === 'splats' ? parsePly(syntheticSplats(count)) : wavePoints(count), 1);
    }
    /** The bytes of a PLY file. Most programs that train splats have y downwards. */
    showPly(bytes) {
        const data = parsePly(bytes);
        return this.showData(data, data.covariances ? -1 : 1);
    }

    async showData(data, upwards) {
        if (data.count === 0) throw new Error('The file has no points and no splats');
        const number = ++this.shows;
        await glsortOf(this.renderer, {module: this.module});
        const frame = frameOf(data);
        const made = data.covariances
            ? await SortedSplats.create(this.renderer, data)
            : await SortedPoints.create(this.renderer, {
                  positions: new THREE.BufferAttribute(data.positions, 4),
                  colors: new THREE.BufferAttribute(data.colors, 4),
                  size: (frame.size / 60) * Math.min(1, 170 / Math.sqrt(data.count)),
              });
        // Another scene was asked for meanwhile.
        if (number !== this.shows) return made.dispose();
        if (this.object) {
            this.scene.remove(this.object);
            this.object.dispose();
        }
        this.object = made;
        this.frame = frame;
        this.count = data.count;
        this.upwards = upwards;
        this.scene.add(made);
        this.isSorted = false;
    }

    start() {
        let last = performance.now();
        let pictures = 0;
        let since = last;
        let calls = [];
        let inSight = true;
        new IntersectionObserver(([entry]) => {
            inSight = entry.isIntersecting;
        }).observe(this.canvas);
        this.renderer.setAnimationLoop(() => {
            const now = performance.now();
            // A picture without a size has no aspect.
            if (this.paused || !inSight || !this.canvas.clientWidth || !this.canvas.clientHeight) {
                [last, since, pictures, calls] = [now, now, 0, []];
                return;
            }
            if (this.turning) this.angles.across += 0.0003 * Math.min(now - last, 100);
            last = now;
            if (this.object) {
                this.place();
                if (this.sorting || !this.isSorted) {
                    const start = performance.now();
                    this.isSorted = this.object.update(this.camera);
                    calls.push(performance.now() - start);
                }
                this.renderer.render(this.scene, this.camera);
                ++pictures;
            }
            if (now - since < 500 || !this.object) return;
            const call = calls.length ? calls.reduce((a, b) => a + b) / calls.length : 0;
            this.report({count: this.count, perSecond: (1000 * pictures) / (now - since), call, sorting: this.sorting});
            [pictures, since, calls] = [0, now, []];
        });
    }

    place() {
        const {canvas, renderer, camera, angles, frame} = this;
        const ratio = Math.min(window.devicePixelRatio, 2);
        if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
        const {clientWidth, clientHeight} = canvas;
        const size = renderer.getSize(new THREE.Vector2());
        if (size.x !== clientWidth || size.y !== clientHeight) renderer.setSize(clientWidth, clientHeight, false);
        camera.aspect = clientWidth / clientHeight;
        // On an upright screen, the width is what the scene must fit into.
        const distance = 1.5 * frame.size * this.zoom * Math.max(1, 1 / camera.aspect);
        camera.near = distance / 100;
        camera.far = distance * 20;
        camera.up.set(0, this.upwards, 0);
        camera.position
            .set(
                Math.sin(angles.across) * Math.cos(angles.up),
                this.upwards * Math.sin(angles.up),
                Math.cos(angles.across) * Math.cos(angles.up),
            )
            .multiplyScalar(distance)
            .add(frame.center);
        camera.lookAt(frame.center);
        camera.updateProjectionMatrix();
    }
}
