#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/counted_text.h>
#include <glsort/exec/program_cache.h>
#include <glsort/gl/text.h>

#include <functional>
#include <utility>

namespace glsort {
namespace {

/// A body for each declaration. The bodies serve compilation alone.
std::string bodies_of(std::string_view declarations) {
    std::string text;
    while (!declarations.empty()) {
        const std::string_view line = gl::take_piece(declarations, '\n');
        const std::string_view type = line.substr(0, line.find(' '));
        text += fmt::format("{} {{ return {}(0u); }}\n", line.substr(0, line.find(';')), type);
    }
    return text;
}

/// Throws `Error` if the caller's GLSL does not compile by itself. In the whole shader, a compiler may report such an
/// error only lines later, in a file of the library. Called if the whole shader does not compile.
void check_prelude(const std::shared_ptr<const gl::Api>& api, const CallersGlsl& prelude, bool es) {
    if (prelude.text.empty()) return;
    const std::string who = prelude.kind + " " + prelude.name;
    // The caller's text comes last, so that an unterminated text fails at its own end.
    gl::ShaderSource source = empty_fragment_shader(es);
    source.parts = {
        {"the call of " + who, fmt::format("{}{};\n{}{}out vec4 glsort_result;\n"
                                           "void main() {{ glsort_result = vec4(glsort_trial()); }}\n",
                                           es ? "precision highp float;\nprecision highp int;\n" : "", prelude.function,
                                           bodies_of(prelude.declarations), prelude.trial)},
        {prelude.name, prelude.text}};
    gl::ShaderSource vertex = empty_fragment_shader(es);
    vertex.parts.front() = {"a vertex shader", "void main() { gl_Position = vec4(0.0); }\n"};
    try {
        gl::Program::graphics(api, vertex, source);
    } catch (const Error& error) {
        throw Error(
            fmt::format("{}: its GLSL does not compile, or defines no {}: {}", who, prelude.function, error.what()));
    }
}

/// Widths are uniforms and not part of the text.
StreamLayout without_width(const StreamLayout& layout) {
    return {layout.kind, 0};
}

/// Sets widths to 0, since widths are uniforms. Exception: a texture in another layout than the shader's gets width 1,
/// because the text differs.
std::vector<PortBinding> without_widths(std::vector<PortBinding> bindings, const StreamLayout& layout) {
    for (PortBinding& binding : bindings) {
        const bool own = !binding.external && binding.layout != layout;
        if (binding.medium == Medium::buffer) binding.layout = {};
        binding.layout.width = own && binding.medium == Medium::texture ? 1 : 0;
    }
    return bindings;
}

}  // namespace

ShaderIdentity::ShaderIdentity(const ShaderRequest& request)
    : stage(request.stage),
      es(request.es),
      hide_uniforms(request.hide_uniforms),
      index_by_constants(request.index_by_constants),
      gpu_count(request.gpu_count),
      reads_count(request.reads_count),
      layout(is_compute(request.stage) ? StreamLayout{} : without_width(request.layout)),
      block_capacity(glsort::block_capacity(*request.op)),
      kernel{request.op->kernel},
      load{request.op->load},
      store{request.op->store},
      inputs(without_widths(request.inputs, request.layout)),
      outputs(without_widths(request.outputs, request.layout)),
      counted(evaluates_count(request) ? counted_parameters(*request.op) : std::vector<std::size_t>{}),
      counts_domain(evaluates_count(request) && request.op->domain.follows_count()) {}

std::size_t ShaderIdentity::hash() const {
    std::size_t hash = std::hash<std::string>{}(kernel.value->name);
    for (const auto& [name, value] : kernel.value->defines)
        hash = 31 * hash + (value.size() < 16 ? std::hash<std::string>{}(value) : value.size());
    return 31 * hash + static_cast<std::size_t>(stage) + (load.value != nullptr ? 4 : 0) +
           (store.value != nullptr ? 8 : 0);
}

ProgramCache::Slot& ProgramCache::slot_of(const ShaderRequest& request) {
    ShaderIdentity identity(request);
    const std::size_t hash = identity.hash();
    for (auto [known, end] = known_.equal_range(hash); known != end; ++known)
        if (known->second.first == identity) return queued(*known->second.second);

    ComposedShader shader = compose_shader(request);
    gl::ProgramSource source = program_source(request, shader);
    source.label = request.op->kernel->name;
    Slot& slot = slot_of(std::move(source), {std::move(shader.samplers), request.op->kernel, request.es});
    known_.emplace(hash, std::pair(std::move(identity), &slot));
    return slot;
}

ProgramCache::Slot& ProgramCache::slot_of(gl::ProgramSource source, Origin origin) {
    Slot& slot = slots_.try_emplace(source.text()).first->second;
    // The functions of the caller's binaries may throw. The slot then stays empty.
    if (!slot.issued && slot.entry.program.name() == 0)
        slot.issued.emplace(Issued{gl::IssuedProgram(api_, std::move(source)), std::move(origin)});
    return queued(slot);
}

const ProgramCache::Entry& ProgramCache::get(const ShaderRequest& request) {
    return finished(slot_of(request));
}

const ProgramCache::Entry& ProgramCache::get(const gl::ProgramSource& source) {
    return finished(slot_of(source, {}));
}

const ProgramCache::Entry& ProgramCache::finished(Slot& slot) {
    if (slot.issued) finish(slot);
    return slot.entry;
}

Progress ProgramCache::finish_next(bool may_wait) {
    while (!unfinished_.empty() && !unfinished_.front()->issued)
        unfinished_.pop_front();
    if (unfinished_.empty()) return Progress::done;
    if (!may_wait && !unfinished_.front()->issued->program.is_done()) return Progress::waiting;
    finish(*unfinished_.front());
    unfinished_.pop_front();
    return unfinished_.empty() ? Progress::done : Progress::more;
}

ProgramCache::Slot& ProgramCache::queued(Slot& slot) {
    if (slot.issued && !std::exchange(slot.is_queued, true)) unfinished_.push_back(&slot);
    return slot;
}

void ProgramCache::drop_unfinished() {
    for (; !unfinished_.empty(); unfinished_.pop_front())
        unfinished_.front()->is_queued = false;
}

void ProgramCache::finish(Slot& slot) {
    const Origin& origin = slot.issued->origin;
    gl::Program program;
    try {
        program = slot.issued->program.finish();
    } catch (const Error&) {
        if (origin.kernel != nullptr) check_prelude(api_, origin.kernel->prelude, origin.es);
        throw;
    }
    if (!origin.samplers.empty()) api_->UseProgram(program.name());
    for (std::size_t unit = 0; unit < origin.samplers.size(); ++unit)
        api_->Uniform1i(program.uniform(origin.samplers[unit].c_str()), static_cast<GLint>(unit));
    const GLint uniforms = program.uniform("glsort_op");
    slot.entry = {std::move(program), uniforms};
    gl::IssuedProgram issued = std::move(slot.issued->program);
    slot.issued.reset();
    if (issued.is_to_be_stored()) unstored_.emplace_back(&slot, std::move(issued));
}

Progress ProgramCache::store_next() {
    if (unstored_.empty()) return Progress::done;
    const auto [slot, issued] = std::move(unstored_.front());
    unstored_.pop_front();
    issued.store(slot->entry.program);
    return Progress::more;
}

}  // namespace glsort
