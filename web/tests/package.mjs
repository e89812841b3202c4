// Packs the package, installs the archive into an empty project, and uses it there: in Node, by tsc, and in a page.

import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {openPage} from './browser.mjs';
import {serve} from './serve.mjs';

const web = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

function check(holds, message) {
    if (!holds) throw new Error(message);
}

const page = `<!doctype html>
<link rel="icon" href="data:,">
<script type="importmap">
{"imports": {
  "three": "./node_modules/three/build/three.module.js",
  "glsort": "./node_modules/glsort/dist/glsort.js",
  "glsort/three": "./node_modules/glsort/dist/three.js"
}}
</script>
<script type="module" src="main.js"></script>`;

// Sorts by the package, and in the context of three.js.
const program = `
import * as THREE from 'three';
import {loadGlsort} from 'glsort';
import {disposeGlsort, glsortOf, SortedPoints} from 'glsort/three';

const gl = document.createElement('canvas').getContext('webgl2');
const glsort = await loadGlsort(gl);
const sorter = await glsort.createSorter({capacity: 4, result: 'rgba32ui'});
const texture = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, texture);
gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32UI, 2, 2, 0, gl.RED_INTEGER, gl.UNSIGNED_INT, Uint32Array.of(7, 5, 8, 6));
const order = sorter.sort({texture, width: 2, height: 2}, 4);
gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, order, 0);
const found = new Uint32Array(4);
gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, found);

const renderer = new THREE.WebGLRenderer();
const positions = new THREE.BufferAttribute(Float32Array.of(0, 0, -1, 0, 0, -2), 3);
const points = await SortedPoints.create(renderer, {positions});
const isVisible = points.update(new THREE.PerspectiveCamera());
const isShared = [points.order.scene.gl, (await glsortOf(renderer)).gl].every((used) => used === renderer.getContext());
await disposeGlsort(renderer);
window.result = {found: [...found], isShared, isVisible};
`;

const steps = {
    async 'the archive'({archive}) {
        const {stdout} = await run('tar', ['--list', '--gzip', '--file', archive]);
        const files = stdout
            .trim()
            .split('\n')
            .map((name) => name.replace('package/', ''))
            .sort();
        const expected = [
            'LICENSE',
            'README.md',
            'dist/glsort.d.ts',
            'dist/glsort.js',
            'dist/glsort.js.map',
            'dist/glsort.wasm',
            'dist/three.d.ts',
            'dist/three.js',
            'dist/three.js.map',
            'package.json',
        ];
        check(JSON.stringify(files) === JSON.stringify(expected), `the archive has ${files}`);
    },
    async 'source maps contain the sources'({folder}) {
        const map = JSON.parse(await readFile(join(folder, 'node_modules/glsort/dist/glsort.js.map'), 'utf8'));
        const source = map.sourcesContent[map.sources.findIndex((name) => name.endsWith('src/sorter.js'))];
        check(source === (await readFile(join(web, 'src/sorter.js'), 'utf8')), `the map has ${map.sources}`);
    },
    async 'a source map leads from an error to its line'({folder}) {
        await writeFile(
            join(folder, 'error.mjs'),
            `import {loadGlsort} from 'glsort';
            import {parsePly} from 'glsort/three';
            await loadGlsort({}).catch((error) => console.log(error.stack));
            try { parsePly(new ArrayBuffer(8)); } catch (error) { console.log(error.stack); }`,
        );
        const {stdout} = await run('node', ['--enable-source-maps', 'error.mjs'], {cwd: folder});
        for (const [name, text] of [
            ['src/glsort.js', 'gl must be a WebGL2RenderingContext'],
            ['three/ply.js', 'this is no PLY file'],
        ]) {
            const lines = (await readFile(join(web, name), 'utf8')).split('\n');
            const line = lines.findIndex((code) => code.includes(text)) + 1;
            check(line > 0 && stdout.includes(`${name}:${line}:`), `no line ${line} of ${name}:\n${stdout}`);
        }
    },
    async 'Node imports it, and says what is missing there'({folder}) {
        await writeFile(
            join(folder, 'node.mjs'),
            `import {loadGlsort} from 'glsort';
            import {parsePly} from 'glsort/three';
            console.log(typeof parsePly, import.meta.resolve('glsort/glsort.wasm'));
            await loadGlsort({}).catch((error) => console.log(error.message));`,
        );
        const {stdout} = await run('node', ['node.mjs'], {cwd: folder});
        check(stdout.startsWith('function ') && stdout.includes('/glsort/dist/glsort.wasm'), stdout);
        check(stdout.includes('gl must be a WebGL2RenderingContext'), stdout);
    },
    async 'TypeScript finds the types'({folder}) {
        await writeFile(
            join(folder, 'main.ts'),
            `import {loadGlsort, type Sorter} from 'glsort';
            export async function make(gl: WebGL2RenderingContext): Promise<Sorter> {
                return (await loadGlsort(gl)).createSorter({capacity: 8});
            }`,
        );
        const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
        await run(join(web, 'node_modules/.bin/tsc'), [...options, 'main.ts'], {cwd: folder}).catch((error) => {
            throw new Error(error.stdout);
        });
    },
    async 'a page without a bundler'({folder, browser}) {
        await writeFile(join(folder, 'index.html'), page);
        await writeFile(join(folder, 'main.js'), program);
        const server = await serve(0, folder);
        try {
            const opened = await openPage(await browser(), `${server.address}/`);
            await opened.page.waitForFunction('window.result', {timeout: 60000}).catch(() => {
                throw new Error(opened.complaints.join('\n'));
            });
            const result = await opened.page.evaluate('result');
            check(result.found.join() === '1,3,0,2' && result.isShared && result.isVisible, JSON.stringify(result));
            check(opened.complaints.length === 0, opened.complaints.join('\n'));
            await opened.page.close();
        } finally {
            server.close();
        }
    },
};

export async function testPackage({browser, report}) {
    const folder = await mkdtemp(join(tmpdir(), 'glsort-package-'));
    try {
        const {stdout} = await run('npm', ['pack', '--json', '--pack-destination', folder], {cwd: web});
        const archive = join(folder, JSON.parse(stdout)[0].filename);
        await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
        await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], {cwd: folder});
        await mkdir(join(folder, 'node_modules'), {recursive: true});
        await symlink(join(web, 'node_modules/three'), join(folder, 'node_modules/three'));
        for (const [name, step] of Object.entries(steps)) {
            const start = performance.now();
            const error = await step({archive, folder, browser}).then(
                () => null,
                (thrown) => thrown,
            );
            report(`package: ${name}`, error, '', start);
        }
    } finally {
        await rm(folder, {recursive: true});
    }
}
