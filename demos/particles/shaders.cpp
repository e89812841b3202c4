#include "shaders.h"

namespace glsort::demo::shaders {

namespace {

std::string with_head(Api api, const std::string& body) {
    const std::string head = api == Api::gl ? "#version 330 core\n"
                                            : "#version 300 es\n"
                                              "precision highp float;\n"
                                              "precision highp sampler2D;\n";
    return head + body;
}

}  // namespace

// See moved() of cpu_keys.h, and ParticleScene.
std::string move_vertex(Api api) {
    return with_head(api, R"(
layout(location = 0) in vec3 position;
layout(location = 1) in float size;
uniform vec3 flow;  // radius of the ring; angle about the y axis; angle about the ring
uniform vec3 wave;  // height; radians per unit of distance from the y axis; phase in radians
out vec4 place;

vec2 turned(vec2 p, float angle) {
    float c = cos(angle);
    float s = sin(angle);
    return vec2(c * p.x + s * p.y, c * p.y - s * p.x);
}

void main() {
    float across = length(position.xz);
    vec2 outwards = turned(across > 0.0 ? position.xz / across : vec2(1.0, 0.0), flow.y);
    vec2 section = turned(vec2(across - flow.x, position.y), flow.z);
    float radius = flow.x + section.x;
    float lift = wave.x * sin(wave.y * radius - wave.z);
    place = vec4(radius * outwards.x, section.y + lift, radius * outwards.y, 0.5 * size);
    gl_Position = vec4(0.0);
}
)");
}

std::string mark_vertex(Api api) {
    return with_head(api, R"(
layout(location = 0) in uint item;
layout(std140) uniform Status {
    uvec4 status;  // x: the visible items
};
flat out uint marked;

void main() {
    marked = uint(gl_VertexID) < status.x ? item : 0xFFFFFFFFu;
    gl_Position = vec4(0.0);
}
)");
}

std::string no_fragment(Api api) {
    return with_head(api, R"(
void main() {}
)");
}

std::string sprite_vertex(Api api) {
    return with_head(api, R"(
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 colour;
uniform mat4 view;
uniform mat4 projection;
uniform vec2 pixels;  // of a length of 1 at a distance of 1; of the largest sprite
uniform vec2 haze;    // the depths at which haze begins and is full
uniform float silk;   // 1: shine as a surface that faces the ring, 0: do not
uniform float ring;   // the radius of the ring
out vec4 sprite_colour;

// The direction from the nearest place on the ring.
vec3 from_ring(vec3 p) {
    float across = length(p.xz);
    vec2 outwards = across > 0.0 ? p.xz / across : vec2(1.0, 0.0);
    return vec3((across - ring) * outwards.x, p.y, (across - ring) * outwards.y);
}

vec3 shining(vec3 colour, vec3 normal, vec3 to_eye) {
    const vec3 to_light = vec3(-0.468, 0.749, 0.468);
    float diffuse = max(0.0, dot(normal, to_light));
    float gloss = pow(max(0.0, dot(normal, normalize(to_light + to_eye))), 24.0);
    return colour * (0.45 + 0.85 * diffuse) + vec3(0.45 * gloss);
}

void main() {
    vec4 p = view * vec4(place.xyz, 1.0);
    gl_Position = projection * p;
    float depth = max(-p.z, 1e-6);
    float diameter = 2.0 * place.w * pixels.x / depth;
    float drawn = clamp(diameter, 1.5, pixels.y);
    gl_PointSize = drawn;
    // A sprite that is too small to be drawn becomes larger and thinner.
    float alpha = colour.a * min(1.0, diameter * diameter / (drawn * drawn));

    vec3 light = colour.rgb;
    if (silk > 0.0) {
        vec3 to_eye = normalize(-p.xyz);
        vec3 normal = normalize(mat3(view) * from_ring(place.xyz) + vec3(0.0, 0.0, 1e-6));
        light = shining(light, dot(normal, to_eye) < 0.0 ? -normal : normal, to_eye);
    }
    light *= mix(vec3(1.0), vec3(0.34, 0.38, 0.50), smoothstep(haze.x, haze.y, depth));
    sprite_colour = vec4(light * alpha, alpha);
}
)");
}

std::string sprite_fragment(Api api) {
    return with_head(api, R"(
in vec4 sprite_colour;
layout(location = 0) out vec4 result;

void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float inside = max(0.0, 1.0 - dot(p, p));
    float soft = inside * inside * (1.6 - 0.6 * inside);
    // A little light from the upper left, as on a ball.
    float light = 0.92 + 0.14 * dot(vec3(p.x, -p.y, sqrt(inside)), vec3(-0.45, 0.65, 0.61));
    result = vec4(sprite_colour.rgb * light, sprite_colour.a) * soft;
}
)");
}

std::string splat_vertex(Api api) {
    return with_head(api, R"(
layout(location = 0) in uint order;
uniform sampler2D splats;
uniform int per_row;
uniform float in_order;  // 1: the instance draws the splat at its place in the order, 0: the splat of its number
uniform mat4 view;
uniform mat4 projection;
uniform vec2 size;  // of the picture, pixels
out vec2 place;     // in standard deviations of the drawn Gaussian
flat out vec4 splat_colour;

void main() {
    splat_colour = vec4(0.0);
    place = vec2(0.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside
    if (in_order > 0.5 && order == 0xFFFFFFFFu) return;  // a mark
    int number = in_order > 0.5 ? int(order) : gl_InstanceID;
    ivec2 texel = ivec2(4 * (number % per_row), number / per_row);
    vec4 position_opacity = texelFetch(splats, texel, 0);
    vec3 colour = texelFetch(splats, texel + ivec2(1, 0), 0).rgb;
    vec3 variance = texelFetch(splats, texel + ivec2(2, 0), 0).xyz;
    vec3 covariance = texelFetch(splats, texel + ivec2(3, 0), 0).xyz;
    float opacity = position_opacity.w;
    splat_colour = vec4(colour, opacity);

    // The quad ends where a picture of 8 bits no longer changes.
    float deviations_squared = 2.0 * log(255.0 * opacity);
    vec4 p = view * vec4(position_opacity.xyz, 1.0);
    vec4 clip = projection * p;
    if (deviations_squared <= 0.0 || clip.z < -clip.w) return;

    // The Jacobian of the projection to pixels. The slope is bounded a little outside of the picture,
    // because the Jacobian grows without bound off the axis.
    vec2 slope = -p.xy / p.z;
    vec2 limit = 1.3 / vec2(projection[0][0], projection[1][1]);
    slope = clamp(slope, -limit, limit);
    vec2 scale = 0.5 * size * vec2(projection[0][0], projection[1][1]) / -p.z;
    mat3 world = mat3(variance.x, covariance.x, covariance.y,
                      covariance.x, variance.y, covariance.z,
                      covariance.y, covariance.z, variance.z);
    mat3 rotation = mat3(view);
    mat3 seen = rotation * world * transpose(rotation);
    // Rows (scale.x, 0, scale.x * slope.x) and (0, scale.y, scale.y * slope.y).
    vec3 row_x = scale.x * vec3(1.0, 0.0, slope.x);
    vec3 row_y = scale.y * vec3(0.0, 1.0, slope.y);
    float xx = dot(row_x, seen * row_x) + 0.3;
    float yy = dot(row_y, seen * row_y) + 0.3;
    float xy = dot(row_x, seen * row_y);

    // The ellipse's axes.
    float middle = 0.5 * (xx + yy);
    float apart = length(vec2(0.5 * (xx - yy), xy));
    vec2 radii = sqrt(vec2(middle + apart, max(middle - apart, 0.3)));
    vec2 axis = abs(xy) > 1e-6 * middle ? normalize(vec2(xy, middle + apart - xx))
                                        : (xx >= yy ? vec2(1.0, 0.0) : vec2(0.0, 1.0));

    place = sqrt(deviations_squared) *
            vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    vec2 pixels = place.x * radii.x * axis + place.y * radii.y * vec2(-axis.y, axis.x);
    gl_Position = clip + vec4(2.0 * pixels / size * clip.w, 0.0, 0.0);
}
)");
}

std::string splat_fragment(Api api) {
    return with_head(api, R"(
in vec2 place;
flat in vec4 splat_colour;
layout(location = 0) out vec4 result;

void main() {
    float alpha = min(0.99, splat_colour.a * exp(-0.5 * dot(place, place)));
    if (alpha < 1.0 / 255.0) discard;
    result = vec4(splat_colour.rgb * alpha, alpha);
}
)");
}

std::string picture_vertex(Api api) {
    return with_head(api, R"(
out vec2 place;

void main() {
    place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}
)");
}

std::string picture_fragment(Api api) {
    return with_head(api, R"(
in vec2 place;  // from 0 to 1
uniform sampler2D sprites;
uniform float aspect;
uniform vec2 line;  // the line of the split screen, below 0 without a line; half the width of the line; in pixels
layout(location = 0) out vec4 result;

uniform float for_display;  // 1: colours of sprites are as displays take colours, 0: linear

float encoded(float linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}
vec3 encoded(vec3 linear) {
    return vec3(encoded(linear.r), encoded(linear.g), encoded(linear.b));
}

void main() {
    vec2 p = (place - vec2(0.5, 0.52)) * vec2(min(aspect, 1.6), 1.0);
    float glow = exp(-3.6 * dot(p, p));
    vec3 background = mix(vec3(0.0016, 0.0018, 0.0035), vec3(0.010, 0.014, 0.030), glow);
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 sprite = texelFetch(sprites, pixel, 0);
    if (for_display > 0.5) background = encoded(background);
    vec3 c = clamp(sprite.rgb + (1.0 - sprite.a) * background, 0.0, 1.0);
    if (for_display < 0.5) c = encoded(c);
    if (line.x >= 0.0 && abs(gl_FragCoord.x - line.x) < line.y) c = vec3(0.9);
    // Ordered noise of one step hides the steps of a dark gradient.
    float noise = float((pixel.x * 5 + pixel.y * 3 + (pixel.x ^ pixel.y) * 7) & 15) / 16.0 - 0.5;
    result = vec4(c + noise / 255.0, 1.0);
}
)");
}

}  // namespace glsort::demo::shaders
