#pragma once

#include <string>

/// OpenGL for the test. Files that include OGRE's headers cannot call OpenGL.

namespace gl_calls {

std::string version();
/// The first error that is pending. 0: none.
unsigned int error();
void finish();
/// Only in compatibility contexts. Nothing of what is drawn afterwards is seen in every second column.
void stipple(bool on);
/// The calling thread has no context afterwards.
void leave_context();

}  // namespace gl_calls
