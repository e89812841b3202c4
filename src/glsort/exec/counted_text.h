#pragma once

#include <glsort/exec/corner_table.h>
#include <glsort/exec/shader_composer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace glsort {

/// GLSL of shaders that evaluate the integers of their op from a count on the GPU.
///
/// On the fragment backend, a vertex stage fetches the count from a texture. A fragment shader gets the integers as
/// flat values. The count takes no texture unit of fragment shaders. On the compute backend, the first op may read the
/// count from the caller's buffer (`ShaderRequest::reads_count`).
///
/// The rules are elements of `glsort_op`, from `OpUniforms::rules` on:
///   - fragment backend: (row width of the target, width of the viewport, height of the viewport, capacity); compute
///     backend: (word of the count in its block, -, -, capacity);
///   - the rule of the domain's size: (scale, per, offset, 1 if the viewport begins at 0, 0 if it is mirrored);
///   - the rules of the parameters that follow the count.

/// The name of the uniform sampler for the texture of one texel with the count. In compute shaders, this is the name of
/// an array, which has the count.
inline constexpr const char* count_sampler = "glsort_count";

/// Whether the shader of a request, or its vertex stage, evaluates integers of the op.
bool evaluates_count(const ShaderRequest& request);
/// The parameters of an op that follow the count, by number.
std::vector<std::size_t> counted_parameters(const Op& op);
/// The number of rules elements in `glsort_op`. 0 if no shader evaluates integers.
std::size_t rule_elements(const ShaderRequest& request);
/// Appends the rules to the words of `glsort_op`.
void append_rules(std::vector<std::uint32_t>& words, const ShaderRequest& request);

/// The triangles that cover the domain of the request's op, whose size only the GPU knows. The viewport has room for
/// the largest domain. Its sides are powers of two, so corners of texels have exact coordinates.
Triangles counted_triangles(const ShaderRequest& request);
/// The layout in which a draw places the instances of its op: the layout of the target.
const StreamLayout& target_layout(const ShaderRequest& request);

/// Declares the flat inputs of a fragment shader, and the macros that read the inputs.
std::string counted_inputs(const ShaderRequest& request);
/// Declares all names that `evaluate_counted` needs and sets. `output`: "flat out " if a fragment shader follows, else
/// "".
std::string counted_outputs(const ShaderRequest& request, const char* output);
/// Statements that set `glsort_instances`, the size of the domain, and the parameters that follow the count.
std::string evaluate_counted(const ShaderRequest& request);
/// Statements that set `gl_Position` from a corner of `counted_triangles`.
std::string place_counted_corner(const ShaderRequest& request);

}  // namespace glsort
