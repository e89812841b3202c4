// Loads the module, once, and makes an instance of it for each context.

import {makeWebgl} from './webgl.js';

const compiled = new Map();

async function compile(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`loadGlsort: ${url} cannot be loaded: ${response.status} ${response.statusText}`);
    // A server that does not know the type of the file still serves the bytes.
    if ((response.headers.get('content-type') ?? '').startsWith('application/wasm'))
        return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer()).catch((error) => {
        throw noModule(url, error);
    });
}

/** Servers may answer with a page where a file is missing. */
function noModule(name, error) {
    return new Error(`loadGlsort: ${name} is no WebAssembly: ${error.message}`, {cause: error});
}

/** Compiles the module, or takes what was compiled. `source`: a URL, bytes or a WebAssembly.Module. */
function moduleOf(source) {
    if (source instanceof WebAssembly.Module) return Promise.resolve(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
        return WebAssembly.compile(source).catch((error) => {
            throw noModule('module', error);
        });
    if (typeof source !== 'string' && !(source instanceof URL))
        throw new Error(`loadGlsort: module is ${String(source)}; it must be a URL, bytes or a WebAssembly.Module`);
    const url = String(source);
    if (!compiled.has(url))
        compiled.set(
            url,
            compile(url).catch((error) => {
                compiled.delete(url);
                throw error;
            }),
        );
    return compiled.get(url);
}

/** An instance for one context: `exports` of binding.cpp, and `webgl`, which knows its objects. */
export async function instantiate(source, gl) {
    const webgl = makeWebgl(gl);
    let memory;
    const exports = (
        await WebAssembly.instantiate(await moduleOf(source), {
            webgl: webgl.imports,
            env: {
                emscripten_notify_memory_growth: () => {},
                emscripten_get_now: () => performance.now(),
            },
            wasi_snapshot_preview1: {
                clock_time_get: (clock, precision, pointer) => {
                    new DataView(memory.buffer).setBigUint64(
                        pointer,
                        BigInt(Math.round(1e6 * performance.now())),
                        true,
                    );
                    return 0;
                },
                proc_exit: (code) => {
                    throw new Error(`glsort: the module has ended (${code}); please report this`);
                },
                environ_sizes_get: (count, size) => {
                    new Int32Array(memory.buffer)
                        .fill(0, count >> 2, (count >> 2) + 1)
                        .fill(0, size >> 2, (size >> 2) + 1);
                    return 0;
                },
                environ_get: () => 0,
            },
        })
    ).exports;
    memory = exports.memory;
    webgl.connect(exports);
    exports._initialize();
    return {exports, webgl};
}
