// glsort in a WebGL2 context. README.md and glsort.d.ts describe all of this for users.

import {deferred} from './built.js';
import {onlyMembers} from './checks.js';
import {compile, instantiate} from './module.js';
import {Scene} from './scene.js';
import {Sorter} from './sorter.js';

function requireContext(call, gl) {
    if (gl.isContextLost()) throw new Error(`${call}: the context is lost`);
}

class Glsort {
    constructor(gl, module, instance) {
        this.gl = gl;
        this.module = module;
        this.members = new Set();
        // Counts losses, restored contexts, and `dispose`. An instance for an earlier turn is dropped.
        this.turn = 0;
        this.loading = null; // From a loss of the context until its successor has an instance.
        this.failure = null; // Why a restored context has no instance.
        // Internal: glsort/three sets this function. Calls, and tasks of constructions, call the function after they
        // have reset the state.
        this.afterReset = null;
        this.use(instance);
        this.onLost = () => this.lose();
        this.onRestored = () => this.restore();
        gl.canvas.addEventListener('webglcontextlost', this.onLost);
        gl.canvas.addEventListener('webglcontextrestored', this.onRestored);
    }

    get isContextLost() {
        return this.gl.isContextLost();
    }

    /** Resolves with a sorter that is ready. */
    async createSorter(options = {}) {
        this.require('createSorter');
        if (this.loading) await this.loaded('createSorter');
        return new Sorter(this, options).ready;
    }

    /** Resolves with a scene that is ready. */
    async createScene(options = {}) {
        this.require('createScene');
        if (this.loading) await this.loaded('createScene');
        return new Scene(this, options).ready;
    }

    require(call) {
        if (this.isDisposed) throw new Error(`${call}: glsort has been disposed of`);
        requireContext(call, this.gl);
        if (this.failure) throw this.failure;
    }

    /** Waits for the instance of a restored context. */
    async loaded(call) {
        await this.loading.promise;
        this.require(call);
    }

    use(instance) {
        this.instance = instance;
        this.textureSize = this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE);
    }

    lose() {
        this.turn++;
        this.failure = null;
        this.loading ??= deferred();
        for (const member of this.members) member.lose();
    }

    /** The old objects are gone, and so is the instance that knew them. */
    async restore() {
        const turn = ++this.turn;
        // The event of another loss may be still to come.
        const isOutdated = () => turn !== this.turn || this.isContextLost;
        try {
            const instance = await instantiate(this.module, this.gl);
            if (isOutdated()) return;
            this.use(instance);
        } catch (error) {
            if (!isOutdated()) this.fail(error);
            return;
        }
        for (const member of this.members) member.rebuild();
        this.loading.resolve();
        this.loading = null;
    }

    /** Until the next loss, nothing can be made. */
    fail(error) {
        const text = `glsort: the module cannot start in the restored context: ${error.message}`;
        this.failure = new Error(text, {cause: error});
        for (const member of this.members) member.fail(this.failure);
        this.loading.reject(this.failure);
        this.loading = null;
    }

    dispose() {
        this.isDisposed = true;
        this.turn++;
        for (const member of [...this.members]) member.dispose();
        this.gl.canvas.removeEventListener('webglcontextlost', this.onLost);
        this.gl.canvas.removeEventListener('webglcontextrestored', this.onRestored);
        this.loading?.resolve(); // Who waits is told by `require`.
    }
}

/** `module`: where glsort.wasm is, or the module itself. */
export async function loadGlsort(gl, options) {
    onlyMembers('loadGlsort', 'options', options, ['module']);
    if (typeof WebGL2RenderingContext === 'undefined' || !(gl instanceof WebGL2RenderingContext))
        throw new Error('loadGlsort: gl must be a WebGL2RenderingContext');
    requireContext('loadGlsort', gl);
    const module = await compile(options?.module ?? new URL('./glsort.wasm', import.meta.url));
    const instance = await instantiate(module, gl);
    requireContext('loadGlsort', gl);
    return new Glsort(gl, module, instance);
}
