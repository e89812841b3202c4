// The usual store chunk: turns an element into the caller's key and payload.
// GLSORT_PAYLOAD: there is a payload. GLSORT_INTERLEAVED: key and payload are one element of a texture.
// GLSORT_VALUE_AT(index): the payload is gathered from the caller's values. Otherwise the payload is the index or the
// value that the element has. If key and payload are separate streams, a kernel may store each by itself.
// GLSORT_STORED_APART tells the kernel so. GLSORT_VALUES_ALONE: nobody reads the keys. GLSORT_KEYS_READ: the element
// lacks a part of the key, so the key is read at the element's index.
//
// expects macros: GLSORT_KEY_WORDS
// allows ports: keys_out, values, values_out, whole_keys
// allows macros: GLSORT_INTERLEAVED, GLSORT_KEYS_READ, GLSORT_PAYLOAD, GLSORT_VALUES_ALONE, GLSORT_VALUE_AT

#include "lib/element.glsl"

#if !defined(GLSORT_VALUE_AT)
#define GLSORT_VALUE_AT(index) (index)
#endif

glsort_Key glsort_stored_key(glsort_Element record) {
#if defined(GLSORT_KEYS_READ)
    return glsort_whole_keys_gather(glsort_index_in_input(record));
#else
    return glsort_swap_words(glsort_decode_key(glsort_key_of(record)));
#endif
}

#if defined(GLSORT_VALUES_ALONE)
void glsort_store(glsort_Element record) {
    glsort_values_out_write(GLSORT_VALUE_AT(glsort_index_in_input(record)));
}
#elif !defined(GLSORT_PAYLOAD)
void glsort_store(glsort_Element record) { glsort_keys_out_write(glsort_stored_key(record)); }
#elif !defined(GLSORT_INTERLEAVED)
void glsort_store_key(glsort_Element record) { glsort_keys_out_write(glsort_stored_key(record)); }
void glsort_store_value(glsort_Element record) {
    glsort_values_out_write(GLSORT_VALUE_AT(glsort_index_in_input(record)));
}
void glsort_store(glsort_Element record) {
    glsort_store_key(record);
    glsort_store_value(record);
}
#else
void glsort_store(glsort_Element record) {
#if GLSORT_KEY_WORDS == 1
    glsort_keys_out_write(uvec2(glsort_stored_key(record), GLSORT_VALUE_AT(glsort_index_in_input(record))));
#elif GLSORT_KEY_WORDS == 2
    glsort_keys_out_write(uvec3(glsort_stored_key(record), GLSORT_VALUE_AT(glsort_index_in_input(record))));
#else
    glsort_keys_out_write(uvec4(glsort_stored_key(record), GLSORT_VALUE_AT(glsort_index_in_input(record))));
#endif
}
#endif
