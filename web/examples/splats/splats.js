// Draws a PLY file of Gaussian splats by three.js. glsort sorts the splats for each picture, in the renderer's context.

import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {parsePly, SortedSplats} from 'glsort/three';

const canvas = document.querySelector('canvas');
const status = document.getElementById('status');

export const renderer = new THREE.WebGLRenderer({canvas, antialias: false, alpha: true}); // over the page's ground
export const scene = new THREE.Scene();
export const camera = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
const controls = new OrbitControls(camera, canvas);

/** What is drawn now. */
export let splats = null;

async function show(bytes) {
    const data = parsePly(bytes);
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
            const {count, positions} = await show(await read());
            placeCamera(positions);
            status.textContent = `${name}: ${count} splats, sorted on the GPU for each picture.`;
        } catch (error) {
            status.textContent = `${name}: ${error.message}`;
        }
    });
}

/** Looks at the middle of the splats, from a distance that shows most of them. */
function placeCamera(positions) {
    splats.updateMatrixWorld();
    const place = new THREE.Vector3();
    const middle = new THREE.Vector3();
    const count = positions.length / 4;
    for (let i = 0; i < count; ++i) middle.add(place.fromArray(positions, 4 * i).divideScalar(count));
    let square = 0;
    for (let i = 0; i < count; ++i) square += place.fromArray(positions, 4 * i).distanceToSquared(middle) / count;
    controls.target.copy(middle.applyMatrix4(splats.matrixWorld));
    camera.position
        .set(0.35, 0.5, 1)
        .setLength(3.1 * Math.sqrt(square) * Math.max(1, 1 / camera.aspect))
        .add(middle);
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
