#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check_buffer.h"
#include "check_texture.h"

/// The caller's objects for one place, and their expected contents. Every word that a sort must not touch has a random
/// value.

namespace glsort::check {

class Slot {
  public:
    /// The context must have the state of a new context.
    Slot(const GladGLContext& gl, Copies& copies, const SorterPlan& plan, const SlotPlan& place, const Sorter& sorter);

    /// Uploads the sample in the way of the call. Fills an output texture with random words if the call requests this.
    void load(const Sample& sample, const Call& call);
    const SortArguments& arguments() const { return arguments_; }
    void give_scratch(const BufferSlice& scratch) { arguments_.scratch = scratch; }
    /// Whether the count on the GPU exceeds the capacity.
    bool is_clamped() const { return gpu_count_ > plan_.spec.capacity; }

    /// From now on the objects hold a result that is not yet read. If not `specified`, elements up to the count have
    /// any value. `own` is the sorter's own output.
    void expect_result(const Sample& sample, bool specified, const TextureView& own);
    /// Whether a result is not yet read.
    bool pending() const { return pending_; }
    /// The way to read the result.
    Reading reading() const { return reading_; }
    void read_by(Reading way) { reading_ = way; }
    void forget() { pending_ = false; }

    /// The first wrong word in any of the objects. Empty if there is none. Waits for the GPU.
    std::string wrong();

    /// Changes of the textures' parameters. Empty if there are none. Quiet.
    std::string changed_parameters() const;

    /// A result in copies of the objects.
    class Copied;
    /// Lets the GPU copy the unread result. `quiet`: the copy works in any state.
    std::unique_ptr<Copied> copied(bool quiet);

  private:
    friend class Copied;

    enum class Role { keys, values, input, output, own };
    /// The expected contents of an object.
    struct Expectation {
        Role role;
        Words words;
        bool loose = false;  ///< Elements up to the count have any value.
        std::uint32_t count = 0;
        std::uint32_t rest_end = 0;  ///< Elements of buffers from the count up to here have any value.
        std::uint32_t touched = 0;   ///< The number of elements whose unused channels have any value.
    };

    void put(CheckedTexture& texture, const Words& keys, const Words& values, std::uint32_t count) const;
    void put(const Words& keys, const Words& values);
    void load_count(std::uint32_t count, std::uint32_t number);
    /// The words of elements from `first` up to, but not including, `last`.
    std::vector<WordRange> ranges(Role role, std::uint32_t first, std::uint32_t last) const;
    bool is_shared() const { return values_ == nullptr && buffers().values.name != 0; }
    Expectation expectation(Role role) const;
    /// Compares. If the expectation is loose, `found` may have any elements up to the count.
    std::string difference(const Expectation& expected, Words found) const;
    std::string place_of(const Expectation& expected, std::size_t word) const;
    TextureView view_of(Role role) const;
    std::uint32_t channels_of(Role role) const;
    Buffers buffers() const;  ///< Empty if the input is a texture.

    const GladGLContext& gl_;
    Copies& copies_;
    const SorterPlan& plan_;

    SortArguments arguments_;
    std::unique_ptr<CheckedBuffer> keys_, values_;
    // The count on the GPU: between two words that belong to others, or before a texel that belongs to others.
    std::unique_ptr<CheckedBuffer> count_;
    std::unique_ptr<CheckedTexture> count_texture_;
    std::uint32_t gpu_count_ = 0;
    std::unique_ptr<CheckedTexture> input_, output_;
    TextureView own_;
    Words own_expected_;
    bool loses_rest_ = false;     ///< Whether sorts change elements of the buffers from the count on (spec.h).
    std::uint32_t elements_ = 0;  ///< The count of the loaded sample.
    bool pending_ = false;
    bool loose_ = false;
    std::uint32_t unknown_ = 0;  ///< The number of elements, from the first, whose words in the buffers are unknown.
    bool output_unknown_ = false;
    std::uint32_t touched_ = 0;  ///< Elements, from the first, that sorts have written since the last fill.
    Reading reading_ = Reading::map;
};

class Slot::Copied {
  public:
    explicit Copied(const Slot& slot) : slot_(slot) {}
    ~Copied();
    Copied(const Copied&) = delete;
    Copied& operator=(const Copied&) = delete;
    /// Like `Slot::wrong`.
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
