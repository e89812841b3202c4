#include <glsort/base/in_function.h>
#include <glsort/session/scratch.h>

namespace glsort {

Scratch::Scratch(const GetProcAddress& get_proc_address)
    : memory_(in_function("Scratch::Scratch",
                          [&] { return std::make_shared<ScratchMemory>(gl::load_api(get_proc_address)); })) {}
Scratch::~Scratch() = default;

std::uint64_t Scratch::bytes() const {
    return memory_->bytes();
}

void Scratch::abandon() noexcept {
    memory_->api->abandoned = true;
}

std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api) {
    if (scratch == nullptr) return nullptr;
    if (scratch->memory_->api->context != api.context)
        throw Error("shared_scratch was made in another OpenGL context than the sorter");
    return scratch->memory_;
}

}  // namespace glsort
