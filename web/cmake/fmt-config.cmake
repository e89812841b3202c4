# Stands for the package fmt in the build for browsers: see web/fmt/fmt/format.h.
if(NOT TARGET fmt::fmt-header-only)
  add_library(fmt::fmt-header-only INTERFACE IMPORTED GLOBAL)
  set_target_properties(fmt::fmt-header-only PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/../fmt")
endif()
set(fmt_FOUND ON)
