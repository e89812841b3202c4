# Generates the OpenGL loader into OUTPUT with the program GLAD (version 2).
# Run as a build step: cmake -DGLAD=… -DOUTPUT=… -P generate-glad.cmake
#
# --reproducible: use the specification that came with glad, never the network.
# --mx: functions live in a struct per context, not in globals.
# A script of its own because glad logs to standard error: shown only when it fails.
set(extensions
  GL_ANGLE_pack_reverse_row_order
  GL_APPLE_clip_distance
  GL_APPLE_row_bytes
  GL_ARB_clip_control
  GL_ARB_draw_buffers_blend
  GL_ARB_get_program_binary
  GL_ARB_gpu_shader_int64
  GL_ARB_parallel_shader_compile
  GL_ARB_query_buffer_object
  GL_ARB_shader_ballot
  GL_ARB_sparse_buffer
  GL_ARB_texture_barrier
  GL_ARB_timer_query
  GL_ARB_viewport_array
  GL_EXT_blend_func_extended
  GL_EXT_clip_control
  GL_EXT_clip_cull_distance
  GL_EXT_disjoint_timer_query
  GL_EXT_draw_buffers_indexed
  GL_EXT_fragment_shading_rate
  GL_EXT_raster_multisample
  GL_EXT_window_rectangles
  GL_INTEL_blackhole_render
  GL_INTEL_conservative_rasterization
  GL_KHR_blend_equation_advanced
  GL_KHR_debug
  GL_KHR_parallel_shader_compile
  GL_KHR_shader_subgroup
  GL_MESA_pack_invert
  GL_NV_clip_space_w_scaling
  GL_NV_conservative_raster
  GL_NV_fragment_coverage_to_color
  GL_NV_framebuffer_mixed_samples
  GL_NV_polygon_mode
  GL_NV_representative_fragment_test
  GL_NV_scissor_exclusive
  GL_NV_shader_thread_group
  GL_NV_shading_rate_image
  GL_NV_texture_barrier
  GL_NV_viewport_array
  GL_NV_viewport_swizzle
  GL_OES_draw_buffers_indexed
  GL_OES_viewport_array
  GL_QCOM_alpha_test
  GL_QCOM_shading_rate)
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
