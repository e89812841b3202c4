// Single draws around a sort: keys from a float texture, and further forms of the result.

const vertexShader = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`;

const head = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform int width;
uniform int count;
uniform int channel;
int texel() { return int(gl_FragCoord.y) * width + int(gl_FragCoord.x); }
`;

const keyShader = `${head}
uniform highp sampler2D source;
out uint key;
void main() {
    int element = texel(), row = textureSize(source, 0).x;
    key = element < count ? floatBitsToUint(texelFetch(source, ivec2(element % row, element / row), 0)[channel]) : 0u;
}`;

const indexShader = `${head}
uniform usampler2D source;
out uint index;
void main() { index = texel() < count ? texelFetch(source, ivec2(gl_FragCoord.xy), 0).g : 0xffffffffu; }`;

const fourShader = `${head}
uniform usampler2D source;
out uvec4 indices;
void main() {
    uvec4 found;
    for (int i = 0; i < 4; ++i) {
        int element = 4 * texel() + i;
        found[i] = element < count ? texelFetch(source, ivec2(element % width, element / width), 0).g : 0xffffffffu;
    }
    indices = found;
}`;

/** A texture of the library's, without filters. */
export function makeTexture(gl, format, width, height) {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindTexture(gl.TEXTURE_2D, null);
    return texture;
}

/** Fills a texture by one draw: `count` elements, `perTexel` in each texel. */
class Pass {
    constructor(gl, shader, format, width, height, perTexel = 1) {
        this.gl = gl;
        this.width = width;
        this.perTexel = perTexel;
        this.texture = makeTexture(gl, format, width, height);
        this.framebuffer = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        this.vertexArray = gl.createVertexArray();
        // With the filters of its own, a float texture may be incomplete. All its texels are then 0.
        this.sampler = gl.createSampler();
        gl.samplerParameteri(this.sampler, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.samplerParameteri(this.sampler, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        this.parallel = gl.getExtension('KHR_parallel_shader_compile');
        this.program = gl.createProgram();
        this.shaders = [
            [gl.VERTEX_SHADER, vertexShader],
            [gl.FRAGMENT_SHADER, shader],
        ].map(([kind, text]) => {
            const made = gl.createShader(kind);
            gl.shaderSource(made, text);
            gl.compileShader(made);
            gl.attachShader(this.program, made);
            return made;
        });
        gl.linkProgram(this.program);
        this.uniforms = null;
    }
    /** Whether the driver has compiled the shaders. Throws if they cannot be compiled. */
    ready() {
        const {gl, program, parallel} = this;
        if (this.uniforms) return true;
        if (parallel && !gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR)) return false;
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
            throw new Error(`glsort: a shader does not compile: ${this.logs()}`);
        this.uniforms = Object.fromEntries(
            ['width', 'count', 'channel'].map((name) => [name, gl.getUniformLocation(program, name)]),
        );
        this.deleteShaders();
        return true;
    }
    deleteShaders() {
        for (const shader of this.shaders) this.gl.deleteShader(shader);
        this.shaders = [];
    }
    logs() {
        const {gl, shaders, program} = this;
        return [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)].join('');
    }
    run(source, count, channel = 0) {
        const {gl, width, uniforms} = this;
        for (const state of [
            gl.BLEND,
            gl.CULL_FACE,
            gl.DEPTH_TEST,
            gl.DITHER,
            gl.SAMPLE_ALPHA_TO_COVERAGE,
            gl.SAMPLE_COVERAGE,
            gl.SCISSOR_TEST,
            gl.STENCIL_TEST,
            gl.RASTERIZER_DISCARD,
        ])
            gl.disable(state);
        gl.colorMask(true, true, true, true);
        gl.bindVertexArray(this.vertexArray);
        gl.useProgram(this.program);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, source);
        gl.bindSampler(0, this.sampler);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.framebuffer);
        gl.viewport(0, 0, width, Math.ceil(count / this.perTexel / width));
        gl.uniform1i(uniforms.width, width);
        gl.uniform1i(uniforms.count, count);
        if (uniforms.channel) gl.uniform1i(uniforms.channel, channel);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
        return this.texture;
    }
    dispose() {
        const {gl} = this;
        this.deleteShaders();
        gl.deleteProgram(this.program);
        gl.deleteFramebuffer(this.framebuffer);
        gl.deleteVertexArray(this.vertexArray);
        gl.deleteSampler(this.sampler);
        gl.deleteTexture(this.texture);
    }
}

/** The bits of one channel of a float texture. */
export const keyPass = (gl, width, height) => new Pass(gl, keyShader, gl.R32UI, width, height);
/** From keys and indices: the indices, or four of them in each texel. */
export const indexPass = (gl, width, height) => new Pass(gl, indexShader, gl.R32UI, width, height);
export const fourPass = (gl, width, height) => new Pass(gl, fourShader, gl.RGBA32UI, width, Math.ceil(height / 4), 4);
