#pragma once

#include <glsort/sorter.h>

/// Sorts a few keys in the current context, prints the order, and returns an exit code: 1 if the order is wrong. Throws
/// `glsort::Error`. Your application has this part already.
int sort_some(const glsort::GetProcAddress& get_proc_address, const char* host);
