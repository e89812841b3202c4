#pragma once

#include <glsort/gl/api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glsort::gl {

/// The place of one program among the caller's binaries (`ProgramBinaries`). An entry is: a magic number, the format
/// and length of the binary, a hash of the binary and another hash of the text, and the binary.
class ProgramEntry {
  public:
    /// Whether the caller keeps binaries, and the context has them. Otherwise an entry does nothing.
    static bool is_kept(const Api& api);

    /// `text`: all that determines the program.
    ProgramEntry(std::shared_ptr<const Api> api, std::string_view text);

    /// Makes `program` from the entry. Returns false if no entry fits, or if the driver does not take the binary.
    bool load(GLuint program) const;
    /// Prepares a program that will be stored. Call before the program is linked.
    void prepare(GLuint program) const;
    /// Stores a program that is linked.
    void store(GLuint program) const;

  private:
    std::shared_ptr<const Api> api_;
    std::string key_;  ///< Empty: no binaries are kept.
    std::uint64_t text_hash_ = 0;
};

}  // namespace glsort::gl
