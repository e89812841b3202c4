// What sorters and scenes share: construction in short tasks, calls, and the loss of the context.

import {resetState, saveState, unbindBuffers} from './state.js';

// Microseconds of a task while something is constructed.
const taskTime = 4000;

// A context may report errors for ever.
const mostErrors = 8;

/** Lets the page run, also while it is hidden. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A promise that is settled from outside. Whoever awaits the promise gets its error. */
export function deferred() {
    const made = {};
    made.promise = new Promise((resolve, reject) => Object.assign(made, {resolve, reject}));
    made.promise.catch(() => {});
    return made;
}

/** Reads all errors of the context: an error of the page's may come before one of the library's. */
function takeErrors(gl) {
    const errors = [];
    for (let i = 0; i < mostErrors; ++i) {
        const error = gl.getError();
        if (error === gl.NO_ERROR) break;
        errors.push(error);
    }
    return errors;
}

export class Built {
    /** `restores`: whether calls save the state and restore it. */
    constructor(owner, kind, restores) {
        this.owner = owner;
        this.kind = kind;
        this.restores = restores;
        this.pointer = 0;
        this.isReady = false;
        this.isDisposed = false;
        this.version = 0; // Counts losses of the context, and `dispose`. A construction from before ends.
        this.resumed = null; // Settles `ready`, from a loss of the context until `rebuild`.
        owner.members.add(this);
    }

    get gl() {
        return this.owner.gl;
    }
    get exports() {
        return this.instance.exports;
    }
    get webgl() {
        return this.instance.webgl;
    }

    /** The last step of a constructor. */
    begin() {
        this.ready = this.build();
        this.ready.catch(() => {}); // Whoever awaits `ready` gets the error.
    }

    async build() {
        const {version, gl} = this;
        // After a loss the owner has another instance.
        this.instance = this.owner.instance;
        try {
            this.inContext(() => this.start());
            while (!this.inContext(() => this.step(taskTime))) {
                await pause();
                if (version !== this.version) return this.successor();
            }
            this.inContext(() => this.finish());
            await this.finished(version);
            if (version !== this.version) return this.successor();
            if (takeErrors(gl).includes(gl.OUT_OF_MEMORY))
                throw new Error(`${this.kind}: the device has no memory for this capacity`);
        } catch (error) {
            if (gl.isContextLost()) return this.afterLoss(version);
            this.fail(error);
            throw error;
        }
        if (gl.isContextLost()) return this.afterLoss(version);
        this.isReady = true;
        return this;
    }

    /** Waits until the GPU has done all, so that the questions for errors take no time. */
    async finished(version) {
        const {gl} = this;
        const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
        while (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) {
            await pause();
            if (version !== this.version) return; // A restored context would refuse the fence.
        }
        gl.deleteSync(fence);
    }

    /** What a construction returns that a loss of the context or `dispose` has ended. */
    successor() {
        return this.isDisposed ? Promise.reject(this.disposed(this.kind)) : this.ready;
    }

    /** The event of the loss comes later than the loss. */
    async afterLoss(version) {
        while (version === this.version) await pause();
        return this.successor();
    }

    lose() {
        this.version++;
        this.release(true);
        if (this.resumed) return;
        this.resumed = deferred();
        this.ready = this.resumed.promise;
    }

    /** The context is new. */
    rebuild() {
        const {resumed} = this;
        this.resumed = null;
        resumed.resolve(this.build());
    }

    /** There is no other attempt, also in a restored context. */
    fail(error) {
        this.failure = error;
        this.owner.members.delete(this);
        this.release(false);
        this.resumed?.reject(error);
    }

    /** Runs `work`, whose commands leave the state as the options say. */
    inContext(work) {
        const {gl, owner} = this;
        const restore = this.restores ? saveState(gl) : null;
        unbindBuffers(gl);
        try {
            return work();
        } finally {
            if (restore) {
                restore();
            } else {
                resetState(gl);
                owner.afterReset?.();
            }
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
        this.version++;
        this.owner.members.delete(this);
        this.release(this.gl.isContextLost());
        this.resumed?.reject(this.disposed('ready'));
    }

    release(lost) {
        this.isReady = false;
        this.free(lost);
        this.pointer = 0;
    }
}
