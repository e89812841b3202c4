// Store chunk of all sorts: a record becomes the caller's key, and the payload follows.
// PAYLOAD: there is one. INTERLEAVED: key and payload are one element of a texture.
// VALUE_AT(index): the payload is gathered from the caller's values; else it is the index.
// Where key and payload are in streams of their own, kernels may store them one after the other: STORED_APART.

#if !defined(VALUE_AT)
#define VALUE_AT(index) (index)
#endif

Key stored_key(Record record) {
#if defined(COMPARISON) || defined(LOW_WORD_LOOKED_UP)
    return keys_gather(index_in_input(record));
#elif KEY_WORDS == 1
    return decode_key(key_of(record));
#else
    return decode_key(key_of(record)).yx;
#endif
}

#if !defined(PAYLOAD)
void store(Record record) { keys_out_write(stored_key(record)); }
#elif !defined(INTERLEAVED)
#define STORED_APART 1
void store_key(Record record) { keys_out_write(stored_key(record)); }
void store_value(Record record) { values_out_write(VALUE_AT(index_in_input(record))); }
void store(Record record) {
    store_key(record);
    store_value(record);
}
#else
void store(Record record) {
#if KEY_WORDS == 1
    keys_out_write(uvec2(stored_key(record), VALUE_AT(index_in_input(record))));
#elif KEY_WORDS == 2
    keys_out_write(uvec3(stored_key(record), VALUE_AT(index_in_input(record))));
#else
    keys_out_write(uvec4(stored_key(record), VALUE_AT(index_in_input(record))));
#endif
}
#endif
