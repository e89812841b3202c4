#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Compiled shaders that outlive the program: the next start loads them, and compiles nothing.

namespace glsort {

/// Two functions of the application's that keep the binaries of programs (`SorterOptions::binaries`).
///
/// The sorter calls both functions while it is constructed, grows, or is asked whether it is `ready`, in the thread of
/// that call, never during a sort. An empty function is not called. The functions may throw: the exception then ends
/// the call.
///
/// Needs OpenGL 4.1, GL_ARB_get_program_binary or OpenGL ES 3.0, and a driver with a format for binaries. Without
/// them, no function is called, and shaders are compiled as ever.
struct ProgramBinaries {
    /// The entry that was stored last under `key`, or nothing. `key`: 48 hexadecimal digits, which stand for the driver
    /// and the text of the shaders. A new driver therefore finds no old entries.
    ///
    /// The sorter checks what it gets. A stale or damaged entry is compiled anew, and stored.
    std::function<std::vector<std::byte>(std::string_view key)> load = nullptr;
    /// Keeps an entry of 1 to some 100 KiB under `key`, in place of an older one.
    std::function<void(std::string_view key, std::span<const std::byte> entry)> store = nullptr;
};

/// Keeps each entry in a file of a folder, named after the key. Makes the folder when an entry is stored. Several
/// programs may use one folder at once: a file is written beside its place, and renamed. A file that cannot be read
/// counts as missing, and one that cannot be written is left out. Nothing deletes old files.
GLSORT_API ProgramBinaries binaries_in_folder(std::filesystem::path folder);

}  // namespace glsort
