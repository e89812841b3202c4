// The count that the caller gives for a source. A count on the GPU may exceed the capacity.
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
