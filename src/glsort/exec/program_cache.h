#pragma once

#include <glsort/exec/shader_composer.h>
#include <glsort/gl/program.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace glsort {

/// Something shared that is compared as a value.
template <class Value>
struct SharedValue {
    std::shared_ptr<const Value> value;

    friend bool operator==(const SharedValue& a, const SharedValue& b) {
        return a.value == b.value || (a.value != nullptr && b.value != nullptr && *a.value == *b.value);
    }
};

/// All that the shader of a request is composed of: requests that are alike in it have the same text.
struct ShaderIdentity {
    explicit ShaderIdentity(const ShaderRequest& request);

    ShaderStage stage;
    bool es;
    bool hide_uniforms;
    StreamLayout layout;
    std::size_t block_capacity;
    SharedValue<KernelCode> kernel;
    SharedValue<ChunkCode> load;
    SharedValue<ChunkCode> store;
    std::vector<PortBinding> inputs;
    std::vector<PortBinding> outputs;

    friend bool operator==(const ShaderIdentity&, const ShaderIdentity&) = default;

    struct Hash {
        std::size_t operator()(const ShaderIdentity& identity) const;
    };
};

/// The programs of one executor, by the text that was composed for them. What was composed before is known by its
/// identity, and not composed again.
class ProgramCache {
  public:
    struct Entry {
        gl::Program program;
        GLint uniforms = -1;  ///< The location of `glsort_op`; -1 where it has none.
    };

    explicit ProgramCache(std::shared_ptr<const gl::Api> api) : api_(std::move(api)) {}

    /// Gives the shaders of `request` to the driver, where they are new, and waits for nothing. Throws what
    /// `compose_shader` does.
    void issue(const ShaderRequest& request) { slot_of(request); }
    /// The program for `request`: issued where it is new, and finished where nobody has asked for it. Then it waits for
    /// the driver, and may leave the program current. Throws `Error` where the shaders, or the caller's comparison in
    /// them, do not compile.
    const Entry& get(const ShaderRequest& request);

  private:
    /// What is kept until a program is finished.
    struct Issued {
        gl::IssuedProgram program;
        std::vector<std::string> samplers;
        std::shared_ptr<const Kernel> kernel;
        bool es = false;
    };
    struct Slot {
        Entry entry;
        std::optional<Issued> issued;  ///< Until `entry` is there.
    };

    Slot& slot_of(const ShaderRequest& request);
    void finish(Slot& slot);

    std::shared_ptr<const gl::Api> api_;
    std::unordered_map<std::string, Slot> slots_;
    std::unordered_map<ShaderIdentity, Slot*, ShaderIdentity::Hash> known_;
};

}  // namespace glsort
