#pragma once

#include <glsort/base/work.h>
#include <glsort/exec/shader_composer.h>
#include <glsort/gl/program.h>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// A shared object that is compared by value.
template <class Value>
struct SharedValue {
    std::shared_ptr<const Value> value;

    friend bool operator==(const SharedValue& a, const SharedValue& b) {
        return a.value == b.value || (a.value != nullptr && b.value != nullptr && *a.value == *b.value);
    }
};

/// Everything that determines the shader text of a request. Requests with equal identities have equal texts.
struct ShaderIdentity {
    explicit ShaderIdentity(const ShaderRequest& request);

    ShaderStage stage;
    bool es;
    bool hide_uniforms;
    bool index_by_constants;
    bool gpu_count;
    bool reads_count;
    StreamLayout layout;
    std::size_t block_capacity;
    SharedValue<KernelCode> kernel;
    SharedValue<ChunkCode> load;
    SharedValue<ChunkCode> store;
    std::vector<PortBinding> inputs;
    std::vector<PortBinding> outputs;
    /// With a count on the GPU: the parameters that the shader or its vertex stage evaluates.
    std::vector<std::size_t> counted;
    bool counts_domain;  ///< Whether the shader or its vertex stage evaluates the number of instances.

    friend bool operator==(const ShaderIdentity&, const ShaderIdentity&) = default;

    /// Of the members that differ most often.
    std::size_t hash() const;
};

/// The shader programs of the executors of one sorter, by their text. A request with a known identity is not composed
/// again.
class ProgramCache {
  public:
    struct Entry {
        gl::Program program;
        GLint uniforms = -1;  ///< The location of `glsort_op`. -1: the program has no uniform `glsort_op`.
    };

    explicit ProgramCache(std::shared_ptr<const gl::Api> api) : api_(std::move(api)) {}

    /// Gives the shaders of `request` to the driver if the shaders are new, and does not wait. Throws like
    /// `compose_shader`.
    void issue(const ShaderRequest& request) { slot_of(request); }
    /// Issues a program that belongs to no kernel, such as that of `GpuCount`.
    void issue(const gl::ProgramSource& source) { slot_of(source, {}); }
    /// Finishes one program that was issued. Without `may_wait`, returns `waiting` if the driver is still compiling the
    /// program. May leave the program current. Throws `Error` if the shaders, or the caller's GLSL in them, do not
    /// compile.
    Progress finish_next(bool may_wait);
    /// Leaves out the programs that were issued and are not finished, until they are issued again. For a construction
    /// that has failed: a shader that the driver refuses would otherwise end each later construction, too.
    void drop_unfinished();
    /// Stores one finished program among the caller's binaries. Call after the programs' first use.
    Progress store_next();
    /// The program for `request`. Issues a new program, and finishes a program on its first use, as `finish_next` does.
    const Entry& get(const ShaderRequest& request);
    const Entry& get(const gl::ProgramSource& source);
    /// Whether this is the first call for a program. Programs of a context that were used once are not warmed up again.
    bool note_use(GLuint program) { return used_.insert(program).second; }

  private:
    /// What a program was made from.
    struct Origin {
        std::vector<std::string> samplers = {};
        KernelPtr kernel = nullptr;
        bool es = false;
    };
    /// Kept until a program is finished.
    struct Issued {
        gl::IssuedProgram program;
        Origin origin;
    };
    struct Slot {
        Entry entry;
        std::optional<Issued> issued;  ///< Set until `entry` is.
        bool is_queued = false;        ///< Whether `unfinished_` has the slot.
    };

    Slot& slot_of(const ShaderRequest& request);
    Slot& slot_of(gl::ProgramSource source, Origin origin);
    Slot& queued(Slot& slot);
    const Entry& finished(Slot& slot);
    void finish(Slot& slot);

    std::shared_ptr<const gl::Api> api_;
    // Trees: the code of hash tables is 2% of a module for browsers.
    std::map<std::string, Slot> slots_;                                   ///< By the text of the program.
    std::multimap<std::size_t, std::pair<ShaderIdentity, Slot*>> known_;  ///< By the hash of the identity.
    std::set<GLuint> used_;
    std::deque<Slot*> unfinished_;
    std::deque<std::pair<const Slot*, gl::IssuedProgram>> unstored_;
};

}  // namespace glsort
