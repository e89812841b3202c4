#pragma once

#include <glsort/exec/shader_composer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace glsort {

/// The GLSL text by which a shader accesses the streams of an op.
struct PortText {
    std::string text;      ///< Declarations and functions.
    std::string prologue;  ///< Statements of `main` before the kernel.
    std::string epilogue;  ///< Statements of `main` after the kernel.
    std::vector<std::string> samplers;
    std::vector<std::string> varyings;
};

/// The access functions of the ports of an op (shaders/README.md).
PortText write_ports(const ShaderRequest& request);

/// The prefix of the names of a port's functions and variables.
std::string port_name(const Port& port);

/// Whether an op's store chunk replaces an output that is scattered.
bool scattering_store(const Op& op);

/// An element of the uniform array `glsort_op`.
std::string op_element(std::size_t number);

}  // namespace glsort
