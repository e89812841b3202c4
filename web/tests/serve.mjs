// Serves a folder on this machine: web/, with docs/ beside the rest, or another one. As a program: node serve.mjs PORT

import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const documents = fileURLToPath(new URL('../../docs', import.meta.url));
const types = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.wasm': 'application/wasm',
    '.map': 'application/json',
    '.svg': 'image/svg+xml',
};

// With these, browsers measure times to microseconds.
const isolation = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
};

/** Resolves with the address. Port 0: any that is free. */
export function serve(port = 0, root = web) {
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
        try {
            const [folder, name] =
                root === web && path.startsWith('/docs/') ? [documents, path.slice(6)] : [root, path];
            const file = join(folder, name.endsWith('/') ? `${name}index.html` : name);
            if (!file.startsWith(folder)) throw new Error('outside');
            const bytes = await readFile(file);
            response.writeHead(200, {'content-type': types[extname(file)] ?? 'application/octet-stream', ...isolation});
            response.end(bytes);
        } catch {
            response.writeHead(404).end(`${path} is not here`);
        }
    });
    return new Promise((resolve) => {
        server.listen(port, '127.0.0.1', () =>
            resolve({address: `http://127.0.0.1:${server.address().port}`, close: () => server.close()}),
        );
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(Number(process.argv[2] ?? 8080));
