# Generates the OpenGL loader into OUTPUT with the program GLAD (version 2).
# Run as a build step: cmake -DGLAD=… -DOUTPUT=… -P generate-glad.cmake
#
# --reproducible: use the specification that came with glad, never the network.
# --mx: functions live in a struct per context, not in globals.
# A script of its own because glad logs to standard error: shown only when it fails.
set(extensions
  GL_ARB_gpu_shader_int64
  GL_ARB_shader_ballot
  GL_ARB_sparse_buffer
  GL_ARB_texture_barrier
  GL_ARB_timer_query
  GL_EXT_disjoint_timer_query
  GL_KHR_debug
  GL_KHR_shader_subgroup
  GL_NV_shader_thread_group
  GL_NV_texture_barrier)
list(JOIN extensions "," extensions)
execute_process(
  COMMAND "${GLAD}" --reproducible --quiet --api gl:core=4.6,gles2=3.2 --merge
          --extensions ${extensions} --out-path "${OUTPUT}" c --mx
  RESULT_VARIABLE result
  OUTPUT_VARIABLE log
  ERROR_VARIABLE log)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${GLAD} failed (glad 2 is needed):\n${log}")
endif()
