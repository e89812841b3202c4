#pragma once

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glsort/exec/shader_composer.h>

#include <string>

namespace glsort::fuzz {

/// What the reference compiler says against a shader; empty if it compiles.
inline std::string judge(const std::string& text, ShaderStage stage) {
    static const bool ready = glslang::InitializeProcess();
    glslang::TShader shader(stage == ShaderStage::compute  ? EShLangCompute
                            : stage == ShaderStage::vertex ? EShLangVertex
                                                           : EShLangFragment);
    const char* pointer = text.c_str();
    shader.setStrings(&pointer, 1);
    if (ready && shader.parse(GetDefaultResources(), 100, false, EShMsgDefault)) return {};
    return std::string(shader.getInfoLog()) + "\n";
}

}  // namespace glsort::fuzz
