// Loads the module, once, and makes an instance of it for each context.

import {makeWebgl} from './webgl.js';

const compiled = new Map();

async function fetchModule(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    // A server that does not know the type of the file still serves the bytes.
    if ((response.headers.get('content-type') ?? '').startsWith('application/wasm'))
        return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}

/** For errors of the network and of the compiler. Servers may answer with a page where a file is missing. */
const rethrow = (name) => (error) => {
    const what = error instanceof WebAssembly.CompileError ? 'is no WebAssembly' : 'cannot be loaded';
    throw new Error(`loadGlsort: ${name} ${what}: ${error.message}`, {cause: error});
};

/** Compiles the module, or takes what was compiled. `source`: a URL, bytes or a WebAssembly.Module. */
export async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
        return WebAssembly.compile(source).catch(rethrow('module'));
    if (typeof source !== 'string' && !(source instanceof URL))
        throw new Error(`loadGlsort: module is ${String(source)}; it must be a URL, bytes or a WebAssembly.Module`);
    const url = String(source);
    if (!compiled.has(url)) {
        const loading = fetchModule(url).catch(rethrow(url));
        loading.catch(() => compiled.delete(url));
        compiled.set(url, loading);
    }
    return compiled.get(url);
}

/** An instance of a compiled module for one context: `exports` of binding.cpp, and `webgl`, which knows its objects. */
export async function instantiate(module, gl) {
    const webgl = makeWebgl(gl);
    let memory;
    const exports = (
        await WebAssembly.instantiate(module, {
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
