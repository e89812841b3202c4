#pragma once

#include <glsort/stream/program.h>

#include <functional>
#include <memory>
#include <vector>

namespace glsort {

/// Reads the elements that an op's kernel loads (`loaded_input`), one by one, without running the op. If the op has a
/// load chunk, the chunk converts the caller's keys.
class FirstInput {
  public:
    /// The words that a stream holds before the op.
    using WordsOf = std::function<std::vector<std::uint32_t>(StreamId)>;

    /// `program` and `op` must outlive this object.
    FirstInput(const StreamProgram& program, const Op& op, const WordsOf& words_of);
    ~FirstInput();
    FirstInput(FirstInput&&) noexcept;
    FirstInput& operator=(FirstInput&&) noexcept;

    /// Element `index`. Throws `Error` past the end of a stream.
    Element element(std::uint32_t index) const;

  private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

}  // namespace glsort
