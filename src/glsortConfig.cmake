# find_package(glsort) gives glsort::glsort. find_package(glsort COMPONENTS osg) also gives the adapter glsort::osg, and
# so for ogre, vtk and coin, if glsort was built with them (GLSORT_INTEGRATIONS).
include("${CMAKE_CURRENT_LIST_DIR}/glsortTargets.cmake")

foreach(component IN LISTS glsort_FIND_COMPONENTS)
  set(glsort_${component}_FOUND FALSE)
  set(glsort_file "${CMAKE_CURRENT_LIST_DIR}/glsort_${component}.cmake")
  if(EXISTS "${glsort_file}")
    include("${glsort_file}")
    set(glsort_${component}_FOUND TRUE)
  elseif(glsort_FIND_REQUIRED_${component})
    set(glsort_FOUND FALSE)
    set(glsort_NOT_FOUND_MESSAGE "glsort was built without ${component}: set GLSORT_INTEGRATIONS")
  endif()
endforeach()
