#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check_buffer.h"
#include "check_texture.h"

/// The caller's objects of one place, and what they have to hold. Every word in them that a sort must not touch has a
/// value of its own.

namespace glsort::check {

class Slot {
  public:
    /// Expects the state of a new context.
    Slot(const GladGLContext& gl, Copies& copies, const SorterPlan& plan, const SlotPlan& place, const Sorter& sorter);

    /// Puts the sample in, by the way of the call, and junk in an output texture where it is asked for.
    void load(const Sample& sample, const Call& call);
    const SortArguments& arguments() const { return arguments_; }
    void give_scratch(const BufferSlice& scratch) { arguments_.scratch = scratch; }

    /// From now on the objects hold the result, to be read. `specified`: else elements up to the count hold anything.
    /// `own` is the sorter's own output.
    void expect_result(const Sample& sample, bool specified, const TextureView& own);
    /// Whether a result is to be read.
    bool pending() const { return pending_; }
    /// The way in which it is going to be read.
    Reading reading() const { return reading_; }
    void read_by(Reading way) { reading_ = way; }
    void forget() { pending_ = false; }

    /// What is wrong, anywhere in the objects; empty where all is right. Waits.
    std::string wrong();

    /// What changed of the textures' parameters; empty where nothing did. Quiet.
    std::string changed_parameters() const;

    /// A result that is kept in copies.
    class Copied;
    /// Lets the GPU copy what is to be read; `quiet`: in any state.
    std::unique_ptr<Copied> copied(bool quiet);

  private:
    friend class Copied;

    enum class Role { keys, values, input, output, own };
    /// What an object has to hold.
    struct Expectation {
        Role role;
        Words words;
        bool loose = false;  ///< Elements up to the count hold anything.
        std::uint32_t count = 0;
        std::uint32_t touched = 0;  ///< Elements whose unused channels hold anything.
    };

    void put(CheckedTexture& texture, const Words& keys, const Words& values, std::uint32_t count) const;
    void put(const Words& keys, const Words& values);
    std::vector<WordRange> ranges(Role role, std::uint32_t count) const;
    bool is_shared() const { return values_ == nullptr && buffers().values.name != 0; }
    Expectation expectation(Role role) const;
    /// Compares; `found` is anything where the expectation is loose.
    std::string difference(const Expectation& expected, Words found) const;
    std::string place_of(const Expectation& expected, std::size_t word) const;
    TextureView view_of(Role role) const;
    std::uint32_t channels_of(Role role) const;

    const GladGLContext& gl_;
    Copies& copies_;
    const SorterPlan& plan_;
    Buffers buffers() const;  ///< None where the input is a texture.

    SortArguments arguments_;
    std::unique_ptr<CheckedBuffer> keys_, values_;
    std::unique_ptr<CheckedTexture> input_, output_;
    TextureView own_;
    Words own_expected_;
    bool pending_ = false;
    bool loose_ = false;
    std::uint32_t unknown_ = 0;  ///< Elements, from the first, that buffers hold anything of.
    bool output_unknown_ = false;
    std::uint32_t touched_ = 0;  ///< Elements, from the first, written to the output since it was filled.
    Reading reading_ = Reading::map;
};

class Slot::Copied {
  public:
    explicit Copied(const Slot& slot) : slot_(slot) {}
    ~Copied();
    Copied(const Copied&) = delete;
    Copied& operator=(const Copied&) = delete;
    /// As `Slot::wrong`.
    std::string wrong() const;

  private:
    friend class Slot;
    struct Held {
        GLuint name = 0;
        Expectation expected;
    };
    const Slot& slot_;
    std::vector<Held> held_;
};

}  // namespace glsort::check
