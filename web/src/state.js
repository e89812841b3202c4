// The state of the context around a call: set to WebGL's initial values, or saved and restored object by object.

// The texture units that the library uses. Every context has more.
const units = 16;

const bufferTargets = (gl) => [
    [gl.ARRAY_BUFFER, gl.ARRAY_BUFFER_BINDING],
    [gl.COPY_READ_BUFFER, gl.COPY_READ_BUFFER_BINDING],
    [gl.COPY_WRITE_BUFFER, gl.COPY_WRITE_BUFFER_BINDING],
    [gl.PIXEL_PACK_BUFFER, gl.PIXEL_PACK_BUFFER_BINDING],
    [gl.PIXEL_UNPACK_BUFFER, gl.PIXEL_UNPACK_BUFFER_BINDING],
    [gl.UNIFORM_BUFFER, gl.UNIFORM_BUFFER_BINDING],
];

const pixelStores = (gl) => [
    gl.UNPACK_FLIP_Y_WEBGL,
    gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL,
    gl.UNPACK_ALIGNMENT,
    gl.UNPACK_ROW_LENGTH,
    gl.UNPACK_IMAGE_HEIGHT,
    gl.UNPACK_SKIP_PIXELS,
    gl.UNPACK_SKIP_ROWS,
    gl.UNPACK_SKIP_IMAGES,
];

const capabilities = (gl) => [
    gl.BLEND,
    gl.CULL_FACE,
    gl.DEPTH_TEST,
    gl.DITHER,
    gl.POLYGON_OFFSET_FILL,
    gl.SAMPLE_ALPHA_TO_COVERAGE,
    gl.SAMPLE_COVERAGE,
    gl.SCISSOR_TEST,
    gl.STENCIL_TEST,
    gl.RASTERIZER_DISCARD,
];

/** Before the library draws: unbinds the generic buffers, of which some could be its targets. */
export function unbindBuffers(gl) {
    for (const [target] of bufferTargets(gl)) gl.bindBuffer(target, null);
}

/** After a call: all that a call changes gets WebGL's initial values. Asks nothing, and so never waits. */
export function resetState(gl) {
    gl.useProgram(null);
    gl.bindVertexArray(null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    unbindBuffers(gl);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    for (let unit = units - 1; unit >= 0; --unit) {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, null);
        gl.bindTexture(gl.TEXTURE_2D_ARRAY, null);
        gl.bindSampler(unit, null);
    }
    for (const capability of capabilities(gl)) if (capability !== gl.DITHER) gl.disable(capability);
    gl.enable(gl.DITHER);
    gl.colorMask(true, true, true, true);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
}

/** Sets the state of extensions to initial values, and returns a function that restores it. */
function setExtensionsAside(gl) {
    const restores = [];
    const clip = gl.getExtension('EXT_clip_control');
    if (clip) {
        const origin = gl.getParameter(clip.CLIP_ORIGIN_EXT);
        const depth = gl.getParameter(clip.CLIP_DEPTH_MODE_EXT);
        clip.clipControlEXT(clip.LOWER_LEFT_EXT, clip.NEGATIVE_ONE_TO_ONE_EXT);
        restores.push(() => clip.clipControlEXT(origin, depth));
    }
    const polygon = gl.getExtension('WEBGL_polygon_mode');
    if (polygon) {
        const mode = gl.getParameter(polygon.POLYGON_MODE_WEBGL);
        polygon.polygonModeWEBGL(gl.FRONT_AND_BACK, polygon.FILL_WEBGL);
        restores.push(() => polygon.polygonModeWEBGL(gl.FRONT_AND_BACK, mode));
    }
    const distances = gl.getExtension('WEBGL_clip_cull_distance');
    for (let i = 0; distances && i < gl.getParameter(distances.MAX_CLIP_DISTANCES_WEBGL); ++i) {
        const distance = distances.CLIP_DISTANCE0_WEBGL + i;
        if (!gl.isEnabled(distance)) continue;
        gl.disable(distance);
        restores.push(() => gl.enable(distance));
    }
    const indexed = gl.getExtension('OES_draw_buffers_indexed');
    for (let i = 0; indexed && i < gl.getParameter(gl.MAX_DRAW_BUFFERS); ++i) {
        const mask = gl.getIndexedParameter(gl.COLOR_WRITEMASK, i);
        restores.push(() => indexed.colorMaskiOES(i, ...mask));
    }
    return () => restores.forEach((restore) => restore());
}

/** Saves the state, and returns a function that restores it. Some of these questions wait for the GPU process. */
export function saveState(gl) {
    const restoreExtensions = setExtensionsAside(gl);
    const get = (name) => gl.getParameter(name);
    const feedback = get(gl.TRANSFORM_FEEDBACK_BINDING);
    const pauses = get(gl.TRANSFORM_FEEDBACK_ACTIVE) && !get(gl.TRANSFORM_FEEDBACK_PAUSED);
    if (pauses) gl.pauseTransformFeedback();
    const feedbackBuffer = get(gl.TRANSFORM_FEEDBACK_BUFFER_BINDING);
    const program = get(gl.CURRENT_PROGRAM);
    const vertexArray = get(gl.VERTEX_ARRAY_BINDING);
    const framebuffers = [
        [gl.DRAW_FRAMEBUFFER, get(gl.DRAW_FRAMEBUFFER_BINDING)],
        [gl.READ_FRAMEBUFFER, get(gl.READ_FRAMEBUFFER_BINDING)],
    ];
    const buffers = bufferTargets(gl).map(([target, name]) => [target, get(name)]);
    const stores = pixelStores(gl).map((name) => [name, get(name)]);
    const enabled = capabilities(gl).map((name) => [name, gl.isEnabled(name)]);
    const mask = get(gl.COLOR_WRITEMASK);
    const viewport = get(gl.VIEWPORT);
    const scissor = get(gl.SCISSOR_BOX);
    const active = get(gl.ACTIVE_TEXTURE);
    const bindings = [];
    for (let unit = 0; unit < units; ++unit) {
        gl.activeTexture(gl.TEXTURE0 + unit);
        bindings.push([get(gl.TEXTURE_BINDING_2D), get(gl.TEXTURE_BINDING_2D_ARRAY), get(gl.SAMPLER_BINDING)]);
    }
    return () => {
        gl.useProgram(program);
        gl.bindVertexArray(vertexArray);
        gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
        // The bindings with an index belong to the feedback object. Only the generic one is left.
        if (!feedback || !pauses) gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, feedbackBuffer);
        for (const [target, framebuffer] of framebuffers) gl.bindFramebuffer(target, framebuffer);
        for (const [target, buffer] of buffers) gl.bindBuffer(target, buffer);
        for (const [name, value] of stores) gl.pixelStorei(name, value);
        for (const [name, on] of enabled) on ? gl.enable(name) : gl.disable(name);
        gl.colorMask(...mask);
        restoreExtensions();
        gl.viewport(...viewport);
        gl.scissor(...scissor);
        bindings.forEach(([texture, array, sampler], unit) => {
            gl.activeTexture(gl.TEXTURE0 + unit);
            gl.bindTexture(gl.TEXTURE_2D, texture);
            gl.bindTexture(gl.TEXTURE_2D_ARRAY, array);
            gl.bindSampler(unit, sampler);
        });
        gl.activeTexture(active);
        if (pauses) gl.resumeTransformFeedback();
    };
}
