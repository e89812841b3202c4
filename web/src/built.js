// What sorters and scenes share: construction in short tasks, calls, and the loss of the context.

import {resetState, saveState, unbindBuffers} from './state.js';

// Microseconds of a task while something is constructed.
const taskTime = 4000;

/** Lets the page run, also while it is hidden. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

export class Built {
    /** `restores`: whether calls save the state and restore it. */
    constructor(owner, kind, restores) {
        this.owner = owner;
        this.kind = kind;
        this.restores = restores;
        this.pointer = 0;
        this.isReady = false;
        this.isDisposed = false;
        this.version = 0; // Counts losses of the context. A construction from before a loss ends.
        owner.members.add(this);
    }

    get gl() {
        return this.owner.gl;
    }
    get exports() {
        return this.owner.instance.exports;
    }
    get webgl() {
        return this.owner.instance.webgl;
    }

    /** The last step of a constructor. */
    begin() {
        this.ready = this.build();
        this.ready.catch(() => {}); // Whoever awaits `ready` gets the error.
    }

    async build() {
        const {version, gl} = this;
        try {
            this.inContext(() => this.start());
            while (!this.inContext(() => this.step(taskTime))) {
                await pause();
                if (this.isDisposed) throw this.disposed(this.kind);
                if (version !== this.version) return this.ready;
            }
            this.inContext(() => this.finish());
            await this.finished();
            if (version !== this.version) return this.ready;
            if (gl.getError() === gl.OUT_OF_MEMORY)
                throw new Error(`${this.kind}: the device has no memory for this capacity`);
        } catch (error) {
            if (gl.isContextLost()) return this.afterLoss(version);
            this.failure = error;
            if (version === this.version) this.release(false);
            throw error;
        }
        if (gl.isContextLost()) return this.afterLoss(version);
        this.isReady = true;
        return this;
    }

    /** Waits until the GPU has done all, so that the question for errors takes no time. */
    async finished() {
        const {gl} = this;
        const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
        while (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) await pause();
        gl.deleteSync(fence);
    }

    /** The event of the loss comes later than the loss. */
    async afterLoss(version) {
        while (version === this.version && !this.isDisposed) await pause();
        if (this.isDisposed) throw this.disposed(this.kind);
        return this.ready;
    }

    lose() {
        this.version++;
        this.release(true);
        if (this.resume) return;
        this.ready = new Promise((resolve, reject) => {
            [this.resume, this.giveUp] = [resolve, reject];
        });
        this.ready.catch(() => {});
    }

    /** The context is new. */
    rebuild() {
        if (!this.resume || this.failure) return;
        const {resume} = this;
        this.resume = null;
        resume(this.build());
    }

    /** Runs `work`, whose commands leave the state as the options say. */
    inContext(work) {
        const {gl, webgl} = this;
        const units = Math.max(webgl.units(), 4);
        const restore = this.restores ? saveState(gl, units) : null;
        unbindBuffers(gl);
        try {
            return work();
        } finally {
            if (restore) restore();
            else resetState(gl, webgl.units());
        }
    }

    disposed(call) {
        return new Error(`${call}: it has been disposed of`);
    }

    /** For calls. */
    require(call) {
        if (this.isDisposed) throw this.disposed(call);
        if (this.failure) throw this.failure;
        if (this.gl.isContextLost())
            throw new Error(`${call}: the context is lost; once it is restored, wait for ready`);
        if (!this.isReady) throw new Error(`${call}: it is not ready: its shaders are being compiled; wait for ready`);
    }

    /** What a function of the module returns. Its errors begin with the name of a function of C++. */
    checked(result, call = this.kind) {
        if (result < 0) throw new Error(this.webgl.textAt(this.exports.last_text()).replace(/^[\w:]+: /, `${call}: `));
        return result;
    }

    /** Calls `work` with the addresses of texts in the module. */
    withTexts(texts, work) {
        const pointers = texts.map((text) => this.webgl.textInModule(text));
        try {
            return work(...pointers);
        } finally {
            pointers.forEach((pointer) => this.exports.free(pointer));
        }
    }

    dispose() {
        if (this.isDisposed) return;
        this.isDisposed = true;
        this.owner.members.delete(this);
        this.release(this.gl.isContextLost());
        this.giveUp?.(this.disposed('ready'));
    }

    release(lost) {
        this.isReady = false;
        this.free(lost);
        this.pointer = 0;
    }
}
