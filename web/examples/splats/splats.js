// Draws a PLY file of Gaussian splats by three.js. glsort sorts the splats for each picture, in the renderer's context.

import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {parsePly, SortedSplats} from 'glsort/three';

const canvas = document.querySelector('canvas');
const status = document.getElementById('status');

function makeRenderer() {
    try {
        return new THREE.WebGLRenderer({canvas, antialias: false, alpha: true}); // over the page's ground
    } catch (error) {
        status.textContent = 'This browser gives no WebGL2 context, which the picture needs.';
        throw error;
    }
}

export const renderer = makeRenderer();
export const scene = new THREE.Scene();
export const camera = new THREE.PerspectiveCamera(45, 1);
const controls = new OrbitControls(camera, canvas);
controls.listenToKeyEvents(canvas); // Arrow keys move the camera. With Shift, arrow keys turn the camera.

/** What is drawn now. */
export let splats = null;

async function show(bytes) {
    const data = parsePly(bytes);
    if (data.count === 0) throw new Error('the file has no splats');
    const made = await SortedSplats.create(renderer, data);
    if (splats) scene.remove(splats);
    splats?.dispose();
    splats = made;
    splats.rotation.x = Math.PI; // The programs that train splats let y point downwards.
    scene.add(splats);
    return data;
}

renderer.setAnimationLoop(() => {
    controls.update();
    splats?.update(camera); // sorts
    renderer.render(scene, camera);
});

// All of the above is what glsort needs. The rest is the page: files, the camera, the size.

let files = Promise.resolve();

/** Shows one file after the other. `read`: resolves with the bytes. */
function open(name, read) {
    status.textContent = `Loading ${name} …`;
    files = files.then(async () => {
        try {
            const data = await show(await read());
            placeCamera(data);
            status.textContent = `${name}: ${data.count} splats, sorted on the GPU for each picture.`;
        } catch (error) {
            status.textContent = `${name}: ${error.message}`;
        }
    });
}

/** Looks at the middle of the splats, from a distance that shows most of them. */
function placeCamera({count, positions, covariances}) {
    splats.updateMatrixWorld();
    const place = new THREE.Vector3();
    const middle = new THREE.Vector3();
    const squareSize = (i) => covariances[8 * i] + covariances[8 * i + 3] + covariances[8 * i + 5];
    /** Reads the place of a splat. Returns false if the place or the size is no finite number. */
    const read = (i) => Number.isFinite(place.fromArray(positions, 4 * i).manhattanLength() + squareSize(i));
    let finite = 0;
    for (let i = 0; i < count; ++i) if (read(i)) middle.lerp(place, 1 / ++finite);
    let [spread, sizes] = [0, 0];
    for (let i = 0; i < count; ++i) {
        if (!read(i)) continue;
        spread += place.distanceToSquared(middle);
        sizes += squareSize(i);
    }
    controls.target.copy(middle.applyMatrix4(splats.matrixWorld));
    // If all splats lie in one place, only their sizes tell what to show.
    const radius = Math.sqrt((spread || sizes) / Math.max(finite, 1));
    const distance = Math.max(1e-3, 3.1 * radius * Math.max(1, 1 / camera.aspect));
    camera.position.set(0.35, 0.5, 1).setLength(distance).add(middle);
    camera.near = distance / 1000;
    camera.far = distance * 1000;
    camera.updateProjectionMatrix();
}

async function fetchBytes(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return response.arrayBuffer();
}

function openFile(file) {
    if (file) open(file.name, () => file.arrayBuffer());
}

document.querySelector('input').addEventListener('change', (event) => openFile(event.target.files[0]));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
});
new ResizeObserver(() => {
    if (!canvas.clientWidth || !canvas.clientHeight) return; // no aspect
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
    camera.aspect = canvas.clientWidth / canvas.clientHeight;
    camera.updateProjectionMatrix();
}).observe(canvas);
open('planet.ply', () => fetchBytes('planet.ply'));
