// The OpenGL of the module: each import of functions.cpp, by the functions of one WebGL2 context.
//
// Objects of WebGL have numbers in the module. Objects of the caller's get a number when they are first used
// (`nameOf`).
//
// No function here waits for the GPU process in a frame. Questions about the state get WebGL's initial values: what the
// library then restores is that state, and glsort.js promises no other. The scissor box is an exception: only
// constructions ask for the box, and they restore what the page has set.

import {unbindBuffers} from './state.js';

// WebGL has no name for this parameter.
const infoLogLength = 0x8b84;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Entries by numbers from 1 on. A number that was freed is given again. */
class Table {
    entries = [null];
    free = [];
    add(entry) {
        const number = this.free.pop() ?? this.entries.length;
        this.entries[number] = entry;
        return number;
    }
    get(number) {
        return this.entries[number];
    }
    remove(number) {
        this.entries[number] = null;
        this.free.push(number);
    }
}

export function makeWebgl(gl) {
    const objects = new Table();
    const names = new WeakMap();
    // Objects of the caller's are not kept alive here. Once such an object is gone, its number is free.
    const vanished = new FinalizationRegistry((name) => objects.remove(name));
    const locations = new Table();
    const locationsOf = new Map(); // Numbers of locations, by the number of their program.
    // Whether framebuffers of so many attachments are complete. The formats of all attachments are equal.
    const complete = new Map();
    let drawBuffers = 1;
    let memory;
    let bytes = new Uint8Array(0);
    let words = new Int32Array(0);
    const parallel = gl.getExtension('KHR_parallel_shader_compile');
    // Programs that the driver may still be compiling.
    let linking = [];
    const strings = new Map();

    // The memory moves when it grows.
    const refresh = () => {
        if (bytes.buffer === memory.buffer) return;
        bytes = new Uint8Array(memory.buffer);
        words = new Int32Array(memory.buffer);
    };
    const heap = () => (refresh(), words);
    const textAt = (pointer, length) => {
        refresh();
        let end = pointer;
        if (length < 0) while (bytes[end]) ++end;
        else end += length;
        return decoder.decode(bytes.subarray(pointer, end));
    };
    const put = (pointer, value) => {
        heap()[pointer >> 2] = value;
    };
    const putWide = (pointer, value) => {
        put(pointer, value);
        put(pointer + 4, 0);
    };
    const putText = (text, room, length, pointer) => {
        refresh();
        const {written} = encoder.encodeInto(text, bytes.subarray(pointer, pointer + Math.max(room - 1, 0)));
        bytes[pointer + written] = 0;
        if (length) put(length, written);
    };

    const add = (object, entry) => {
        const name = objects.add(entry);
        names.set(object, name);
        return name;
    };
    /** The number of a new object of the module's. In a lost context there may be no object. */
    const own = (object) => (object ? add(object, object) : 0);
    /** The number of any object. */
    const nameOf = (object) => {
        const known = names.get(object);
        if (known !== undefined) return known;
        const name = add(object, new WeakRef(object));
        vanished.register(object, name, object);
        return name;
    };
    const forget = (object) => {
        const name = names.get(object);
        if (name === undefined) return;
        vanished.unregister(object);
        names.delete(object);
        objects.remove(name);
    };
    const at = (name) => {
        const entry = objects.get(name);
        return entry instanceof WeakRef ? entry.deref() : entry;
    };
    const generate = (make) => (count, pointer) => {
        for (let i = 0; i < count; ++i) put(pointer + 4 * i, own(make()));
    };
    const remove = (destroy) => (count, pointer) => {
        for (let i = 0; i < count; ++i) {
            const object = at(heap()[(pointer >> 2) + i]);
            if (!object) continue;
            destroy(object);
            forget(object);
        }
    };

    // Initial values that are not 0. The others are 0, false or no object.
    const initial = new Map([
        [gl.ACTIVE_TEXTURE, [gl.TEXTURE0]],
        [gl.COLOR_WRITEMASK, [1, 1, 1, 1]],
        [gl.READ_BUFFER, [gl.BACK]],
        [gl.BLEND_SRC_RGB, [gl.ONE]],
        [gl.BLEND_SRC_ALPHA, [gl.ONE]],
    ]);
    const limits = new Map();
    const limitNames = [gl.MAX_COLOR_ATTACHMENTS, gl.MAX_DRAW_BUFFERS, gl.MAX_TEXTURE_SIZE, gl.MAX_VIEWPORT_DIMS];
    const values = (name) => {
        if (name === gl.VIEWPORT) return [0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight];
        // A lost context has none.
        if (name === gl.SCISSOR_BOX) return gl.getParameter(name) ?? [0, 0, 0, 0];
        if (!limitNames.includes(name)) return initial.get(name) ?? [0];
        if (!limits.has(name)) {
            const value = gl.getParameter(name);
            limits.set(name, ArrayBuffer.isView(value) ? [...value] : [value]);
        }
        return limits.get(name);
    };

    // A buffer that transform feedback writes may be bound to no other target.
    const releaseGeneric = (target, name) => {
        if (target === gl.TRANSFORM_FEEDBACK_BUFFER && name) unbindBuffers(gl);
    };

    // Any other question about a program waits for all programs before it. So none counts as done before all are.
    const allLinked = () => {
        linking = linking.filter((program) => !gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR));
        return linking.length === 0;
    };
    const programParameter = (program, parameter) => {
        if (parallel && parameter === parallel.COMPLETION_STATUS_KHR) return allLinked();
        if (parameter !== infoLogLength) return gl.getProgramParameter(program, parameter);
        return encoder.encode(gl.getProgramInfoLog(program) ?? '').length + 1;
    };

    const imports = {
        compilesInParallel: () => (parallel ? 1 : 0),
        ActiveTexture: (unit) => gl.activeTexture(unit),
        AttachShader: (program, shader) => gl.attachShader(at(program), at(shader)),
        BeginTransformFeedback: (mode) => gl.beginTransformFeedback(mode),
        BindBuffer: (target, name) => gl.bindBuffer(target, at(name)),
        BindBufferBase: (target, index, name) => {
            // In browsers no shader has uniform blocks. The library would only clear the page's binding.
            if (target === gl.UNIFORM_BUFFER) return;
            releaseGeneric(target, name);
            gl.bindBufferBase(target, index, at(name));
        },
        BindBufferRange: (target, index, name, offset, size) => {
            releaseGeneric(target, name);
            gl.bindBufferRange(target, index, at(name), offset, size);
        },
        BindFramebuffer: (target, name) => gl.bindFramebuffer(target, at(name)),
        BindSampler: (unit, name) => gl.bindSampler(unit, at(name)),
        BindTexture: (target, name) => gl.bindTexture(target, at(name)),
        BindTransformFeedback: (target, name) => gl.bindTransformFeedback(target, at(name)),
        BindVertexArray: (name) => gl.bindVertexArray(at(name)),
        BlendFuncSeparate: (a, b, c, d) => gl.blendFuncSeparate(a, b, c, d),
        BufferData: (target, size, data, usage) => {
            refresh();
            if (data) gl.bufferData(target, bytes.subarray(data, data + size), usage);
            else gl.bufferData(target, size, usage);
        },
        BufferSubData: (target, offset, size, data) => {
            refresh();
            gl.bufferSubData(target, offset, bytes, data, size);
        },
        CheckFramebufferStatus: (target) => {
            if (!complete.has(drawBuffers)) complete.set(drawBuffers, gl.checkFramebufferStatus(target));
            return complete.get(drawBuffers);
        },
        ColorMask: (r, g, b, a) => gl.colorMask(r, g, b, a),
        CompileShader: (shader) => gl.compileShader(at(shader)),
        CreateProgram: () => own(gl.createProgram()),
        CreateShader: (kind) => own(gl.createShader(kind)),
        DeleteBuffers: remove((object) => gl.deleteBuffer(object)),
        DeleteFramebuffers: remove((object) => gl.deleteFramebuffer(object)),
        DeleteProgram: (name) => {
            linking = linking.filter((program) => program !== at(name));
            for (const location of locationsOf.get(name) ?? []) locations.remove(location);
            locationsOf.delete(name);
            gl.deleteProgram(at(name));
            forget(at(name));
        },
        DeleteSamplers: remove((object) => gl.deleteSampler(object)),
        DeleteShader: (name) => {
            gl.deleteShader(at(name));
            forget(at(name));
        },
        DeleteTextures: remove((object) => gl.deleteTexture(object)),
        DeleteTransformFeedbacks: remove((object) => gl.deleteTransformFeedback(object)),
        DeleteVertexArrays: remove((object) => gl.deleteVertexArray(object)),
        Disable: (capability) => gl.disable(capability),
        DrawArrays: (mode, first, count) => gl.drawArrays(mode, first, count),
        DrawBuffers: (count, pointer) => {
            drawBuffers = count;
            gl.drawBuffers(Array.from(heap().subarray(pointer >> 2, (pointer >> 2) + count)));
        },
        Enable: (capability) => gl.enable(capability),
        EnableVertexAttribArray: (index) => gl.enableVertexAttribArray(index),
        EndTransformFeedback: () => gl.endTransformFeedback(),
        FramebufferTexture2D: (target, attachment, kind, name, level) =>
            gl.framebufferTexture2D(target, attachment, kind, at(name), level),
        FramebufferTextureLayer: (target, attachment, name, level, layer) =>
            gl.framebufferTextureLayer(target, attachment, at(name), level, layer),
        GenBuffers: generate(() => gl.createBuffer()),
        GenFramebuffers: generate(() => gl.createFramebuffer()),
        GenSamplers: generate(() => gl.createSampler()),
        GenTextures: generate(() => gl.createTexture()),
        GenTransformFeedbacks: generate(() => gl.createTransformFeedback()),
        GenVertexArrays: generate(() => gl.createVertexArray()),
        // The page's own errors stay in the queue until the end of a construction, where built.js reads the queue.
        GetError: () => 0,
        GetFloatv: (name, pointer) => {
            const floats = Float32Array.from(values(name));
            refresh();
            new Float32Array(memory.buffer, pointer, floats.length).set(floats);
        },
        GetInteger64i_v: (name, index, pointer) => putWide(pointer, values(name)[0]),
        GetInteger64v: (name, pointer) => putWide(pointer, values(name)[0]),
        GetIntegeri_v: (name, index, pointer) => values(name).forEach((value, i) => put(pointer + 4 * i, value)),
        GetIntegerv: (name, pointer) => values(name).forEach((value, i) => put(pointer + 4 * i, value)),
        GetProgramInfoLog: (name, room, length, pointer) =>
            putText(gl.getProgramInfoLog(at(name)) ?? '', room, length, pointer),
        GetProgramiv: (name, parameter, pointer) => put(pointer, programParameter(at(name), parameter)),
        GetShaderInfoLog: (name, room, length, pointer) =>
            putText(gl.getShaderInfoLog(at(name)) ?? '', room, length, pointer),
        GetShaderiv: (name, parameter, pointer) =>
            put(
                pointer,
                parameter === infoLogLength
                    ? encoder.encode(gl.getShaderInfoLog(at(name)) ?? '').length + 1
                    : gl.getShaderParameter(at(name), parameter),
            ),
        GetString: (name) => {
            if (!strings.has(name))
                strings.set(
                    name,
                    textInModule(name === gl.VERSION ? 'OpenGL ES 3.0 (WebGL 2.0)' : String(gl.getParameter(name))),
                );
            return strings.get(name);
        },
        GetUniformLocation: (program, name) => {
            const location = gl.getUniformLocation(at(program), textAt(name, -1));
            if (!location) return -1;
            const number = locations.add(location);
            if (!locationsOf.has(program)) locationsOf.set(program, []);
            locationsOf.get(program).push(number);
            return number;
        },
        IsBuffer: (name) => (at(name) instanceof WebGLBuffer ? 1 : 0),
        IsEnabled: (capability) => (capability === gl.DITHER ? 1 : 0),
        IsProgram: (name) => (at(name) instanceof WebGLProgram ? 1 : 0),
        IsTexture: (name) => (at(name) instanceof WebGLTexture ? 1 : 0),
        LinkProgram: (program) => {
            gl.linkProgram(at(program));
            linking.push(at(program));
        },
        PauseTransformFeedback: () => gl.pauseTransformFeedback(),
        // Only TexSubImage2D depends on these parameters, and sets them.
        PixelStorei: () => {},
        ReadBuffer: (mode) => gl.readBuffer(mode),
        ResumeTransformFeedback: () => gl.resumeTransformFeedback(),
        SamplerParameteri: (name, parameter, value) => gl.samplerParameteri(at(name), parameter, value),
        Scissor: (x, y, width, height) => gl.scissor(x, y, width, height),
        ShaderSource: (name, count, texts, lengths) => {
            let text = '';
            for (let i = 0; i < count; ++i)
                text += textAt(heap()[(texts >> 2) + i], lengths ? heap()[(lengths >> 2) + i] : -1);
            gl.shaderSource(at(name), text);
        },
        // Only for new textures, without data.
        TexImage2D: (target, level, internal, width, height, border, format, type) =>
            gl.texImage2D(target, level, internal, width, height, border, format, type, null),
        TexImage3D: (target, level, internal, width, height, depth, border, format, type) =>
            gl.texImage3D(target, level, internal, width, height, depth, border, format, type, null),
        TexParameteri: (target, parameter, value) => gl.texParameteri(target, parameter, value),
        TexSubImage2D: (target, level, x, y, width, height, format, type, offset) => {
            // Uploads from a buffer fail while WebGL is to flip or to premultiply images.
            gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
            gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
            gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
            for (const skipped of [gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_PIXELS, gl.UNPACK_SKIP_ROWS])
                gl.pixelStorei(skipped, 0);
            gl.texSubImage2D(target, level, x, y, width, height, format, type, offset);
        },
        TransformFeedbackVaryings: (program, count, texts, mode) => {
            const varyings = [];
            for (let i = 0; i < count; ++i) varyings.push(textAt(heap()[(texts >> 2) + i], -1));
            gl.transformFeedbackVaryings(at(program), varyings, mode);
        },
        Uniform1i: (location, value) => gl.uniform1i(locations.get(location) ?? null, value),
        Uniform4uiv: (location, count, pointer) =>
            gl.uniform4uiv(locations.get(location) ?? null, new Uint32Array(heap().buffer, pointer, 4 * count)),
        UseProgram: (program) => gl.useProgram(at(program)),
        VertexAttribPointer: (index, size, type, normalized, stride, offset) =>
            gl.vertexAttribPointer(index, size, type, !!normalized, stride, offset),
        Viewport: (x, y, width, height) => gl.viewport(x, y, width, height),
    };

    let textInModule;
    return {
        imports,
        nameOf,
        forget,
        objectOf: at,
        textAt: (pointer) => textAt(pointer, -1),
        words: heap,
        /** After the module is instantiated. */
        connect(exports) {
            memory = exports.memory;
            textInModule = (text) => {
                const encoded = encoder.encode(text + '\0');
                const pointer = exports.malloc(encoded.length);
                refresh();
                bytes.set(encoded, pointer);
                return pointer;
            };
        },
        textInModule: (text) => textInModule(text),
    };
}
