# find_package(glsort) gives glsort::glsort. find_package(glsort COMPONENTS osg) also gives the adapter glsort::osg, and
# so for ogre, vtk and coin, if glsort was built with them (GLSORT_INTEGRATIONS).
include("${CMAKE_CURRENT_LIST_DIR}/glsortTargets.cmake")

# Finds the package whose targets an adapter links, unless the caller has found the package. Sets `missing` to what is
# not found. OpenSceneGraph needs no package: its libraries are known by their paths. In a function, so that variables
# which packages set, such as VTK_LIBRARIES, do not replace those of the caller.
function(glsort_find_engine component missing)
  if(component STREQUAL "ogre" AND NOT TARGET OgreMain)
    # Debian puts OGRE's package where CMake does not look.
    find_package(OGRE 1.12 QUIET CONFIG HINTS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/OGRE/cmake")
    if(NOT OGRE_FOUND)
      set(${missing} "glsort::ogre needs OGRE 1.12, which was not found: set OGRE_DIR" PARENT_SCOPE)
    endif()
  elseif(component STREQUAL "vtk" AND NOT TARGET VTK::RenderingOpenGL2)
    find_package(VTK 9.1 QUIET COMPONENTS RenderingOpenGL2)
    if(NOT VTK_FOUND)
      set(${missing} "glsort::vtk needs VTK 9.1, which was not found: set VTK_DIR" PARENT_SCOPE)
    endif()
  endif()
endfunction()

foreach(glsort_component IN LISTS glsort_FIND_COMPONENTS)
  set(glsort_${glsort_component}_FOUND FALSE)
  set(glsort_file "${CMAKE_CURRENT_LIST_DIR}/glsort_${glsort_component}.cmake")
  set(glsort_missing "")
  if(EXISTS "${glsort_file}")
    glsort_find_engine(${glsort_component} glsort_missing)
  else()
    set(glsort_missing "glsort was built without ${glsort_component}: set GLSORT_INTEGRATIONS")
  endif()
  if(NOT glsort_missing)
    include("${glsort_file}")
    set(glsort_${glsort_component}_FOUND TRUE)
  elseif(glsort_FIND_REQUIRED_${glsort_component})
    set(glsort_FOUND FALSE)
    set(glsort_NOT_FOUND_MESSAGE "${glsort_missing}")
  endif()
endforeach()
