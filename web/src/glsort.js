// glsort in a WebGL2 context. README.md and glsort.d.ts describe all of this for users.

import {onlyMembers} from './checks.js';
import {instantiate} from './module.js';
import {Scene} from './scene.js';
import {Sorter} from './sorter.js';

class Glsort {
    constructor(gl, source, instance) {
        this.gl = gl;
        this.source = source;
        this.instance = instance;
        this.members = new Set();
        this.textureSize = gl.getParameter(gl.MAX_TEXTURE_SIZE);
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
        return new Sorter(this, options).ready;
    }

    /** Resolves with a scene that is ready. */
    async createScene(options = {}) {
        this.require('createScene');
        return new Scene(this, options).ready;
    }

    require(call) {
        if (this.isDisposed) throw new Error(`${call}: glsort has been disposed of`);
        if (this.isContextLost) throw new Error(`${call}: the context is lost`);
    }

    lose() {
        for (const member of this.members) member.lose();
    }

    /** The old objects are gone, and so is the module that knew them. */
    async restore() {
        this.instance = await instantiate(this.source, this.gl);
        for (const member of this.members) member.rebuild();
    }

    dispose() {
        for (const member of [...this.members]) member.dispose();
        this.gl.canvas.removeEventListener('webglcontextlost', this.onLost);
        this.gl.canvas.removeEventListener('webglcontextrestored', this.onRestored);
        this.isDisposed = true;
    }
}

/** `module`: where glsort.wasm is, or the module itself. */
export async function loadGlsort(gl, options) {
    onlyMembers('loadGlsort', 'options', options, ['module']);
    if (typeof WebGL2RenderingContext === 'undefined' || !(gl instanceof WebGL2RenderingContext))
        throw new Error('loadGlsort: gl must be a WebGL2RenderingContext');
    if (gl.isContextLost()) throw new Error('loadGlsort: the context is lost');
    const module = options?.module ?? new URL('./glsort.wasm', import.meta.url);
    return new Glsort(gl, module, await instantiate(module, gl));
}
