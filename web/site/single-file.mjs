// Makes one HTML file of the page, which opens from a disk without a server. node single-file.mjs OUTPUT

import {readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const {outputFiles} = await build({
    entryPoints: [path('page.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    alias: {'glsort': path('lib/glsort.js'), 'glsort/three': path('lib/glsort-three.js')},
    write: false,
    logLevel: 'warning',
});
const module = (await readFile(path('lib/tools.wasm'))).toString('base64');
const script = `globalThis.glsortModule = Uint8Array.from(atob('${module}'), (c) => c.charCodeAt(0));
${outputFiles[0].text.replaceAll('</script', '<\\/script')}`;
const parts = [
    [/<script type="importmap">.*?<\/script>\n/s, ''],
    [/<script id="import-maps">.*?<\/script>\n/s, ''],
    [/<link rel="stylesheet"[^>]*>/, `<style>\n${await readFile(path('style.css'), 'utf8')}</style>`],
    [/<script type="module"[^>]*>/, `<script type="module">\n${script}`],
    [/ {2}<p id="one-file">.*?<\/p>\n/s, ''], // The file itself.
];
let page = await readFile(path('index.html'), 'utf8');
for (const [pattern, text] of parts) {
    if (!pattern.test(page)) throw new Error(`single-file: the page has no ${pattern}`);
    page = page.replace(pattern, () => text);
}
await writeFile(process.argv[2], page);
