// The count that the caller gives for a source. It may exceed the capacity if it lies on the GPU.
//
// allows ports: gpu_count
// expects parameters: count
// allows macros: GLSORT_GPU_COUNT

uint glsort_given_count() {
#if defined(GLSORT_GPU_COUNT)
    return glsort_gpu_count_gather(0u);
#else
    return glsort_op_count;
#endif
}
