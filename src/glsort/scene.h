#pragma once

#include <glsort/sorter.h>
#include <glsort/spec.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace glsort {

class SceneSession;

/// What one sort of a scene works on.
struct SceneArguments {
    struct Source {
        /// One slice for each input of the source, with room for the capacity. Offsets are multiples of 4.
        std::vector<BufferSlice> inputs = {};
        std::uint32_t count = 0;  ///< Elements, from 0 to the capacity. 0 with `SceneSource::gpu_count`.
        /// Only with `SceneSource::gpu_count`, instead of `count`: a u32 in a buffer. The offset is a multiple of 4. A
        /// count above the capacity is clamped to the capacity.
        BufferSlice gpu_count = {};
    };
    std::vector<Source> sources = {};  ///< One for each source of the specification.
    /// The result: the item numbers of the visible items in their order, as u32. Room for the sum of all capacities.
    /// The offset is a multiple of 4. Numbers behind the count of visible items have any value.
    BufferSlice order = {};
};

/// Sorts what is to be drawn. Keys come from the caller's GLSL. Elements that are not drawn are left out. All sources
/// become one order, and nothing is read back.
///
/// The rules of `Sorter` hold: what construction does, what a call leaves alone, what an application may do between
/// calls, which errors are thrown. Runs on both backends, from OpenGL 3.3 and OpenGL ES 3.0 on.
///
/// Each key is computed once. From the stored keys on, all devices give identical bits.
///
/// Cost of a call on the GPU: each input is read once, and once more on the fragment backend, which copies inputs to
/// textures. Each key is written once. Keys and numbers of the visible elements are moved together. A sort of the
/// visible elements follows. On the fragment backend, the parts before the sort cost as much as the capacities ask for.
class GLSORT_API SceneSorter {
  public:
    /// Compiles and allocates for `spec` in the current context.
    ///
    /// Throws `Error` as `Sorter::Sorter` does. Also throws for:
    /// - a specification that cannot be: the message names the source, the member, its value and the limit;
    /// - GLSL that does not compile: the message names the source and the line of the caller's text;
    /// - more inputs than the context has storage blocks: the message names the numbers.
    SceneSorter(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options = {});
    ~SceneSorter();
    SceneSorter(SceneSorter&&) noexcept;
    SceneSorter& operator=(SceneSorter&&) noexcept;

    /// Computes the keys, leaves out what is not drawn, and sorts the rest into `SceneArguments::order`.
    void sort(const SceneArguments& arguments, Readers readers = Readers::all);

    /// Four u32 that each sort writes: the visible items, 1 if a count was clamped and otherwise 0, 0, 0. The buffer
    /// belongs to the sorter, and is only to be read. Readers of the last sort may read the buffer, too.
    BufferSlice status() const;

    /// The specification, with the algorithm and backend that were chosen.
    const SceneSpec& spec() const;
    /// The program in front of the sort: keys, culling, and the visible items moved together.
    const StreamProgram& key_program() const;
    /// The program of the sort. The sort's count is the first word of `status`.
    StreamProgram sort_program() const;
    /// Bytes of GPU memory that the sorter holds.
    std::uint64_t scratch_bytes() const;

    /// As `Sorter::abandon`.
    void abandon() noexcept;

  private:
    std::shared_ptr<SceneSession> session_;
};

}  // namespace glsort
