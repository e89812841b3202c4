#pragma once

#include <glsort/gl/objects.h>
#include <glsort/sorter.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace glsort {

/// What the GPU reports about the sorts of a sorter, without a wait (`Sorter::finished`).
///
/// A few sorts can be under way at once. If more are, the next sort is not reported. All memory is allocated at
/// construction.
class FinishedSorts {
  public:
    explicit FinishedSorts(std::shared_ptr<const gl::Api> api);
    ~FinishedSorts();
    FinishedSorts(const FinishedSorts&) = delete;
    FinishedSorts& operator=(const FinishedSorts&) = delete;

    /// Before the commands of a sort.
    void begin();
    /// Behind the commands of a sort, whose count the CPU knows.
    void end(std::uint32_t count);
    /// Behind the commands of a sort whose count only the GPU knows. `status` has the words {count, clamped}. The
    /// barrier for transfers must have been issued.
    void end(const BufferSlice& status);

    /// The latest sort that is finished. Changes no state.
    std::optional<FinishedSort> latest();

  private:
    /// A sort under way.
    struct Slot {
        GLuint times[2] = {};      ///< Queries of the time at begin and end.
        gl::Buffer status;         ///< A copy of the sort's status.
        gl::Sync done;             ///< None: no sort is under way.
        std::uint64_t number = 0;  ///< Of the sort.
        std::uint32_t count = 0;   ///< If the CPU knows the count.
        bool has_status = false;
    };

    void take_time(Slot& slot, std::size_t which) const;
    void end();
    void read(Slot& slot);

    std::shared_ptr<const gl::Api> api_;
    bool has_times_ = false;
    std::array<Slot, 4> slots_;
    Slot* current_ = nullptr;  ///< Between `begin` and `end`. Null: the sort is not reported.
    std::uint64_t sorts_ = 0;
    std::optional<FinishedSort> latest_;
};

}  // namespace glsort
