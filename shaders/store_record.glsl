// Store chunk of all sorts: a record becomes the caller's key, and the payload follows.
// PAYLOAD: there is one. INTERLEAVED: key and payload are one element of a texture.
// VALUE_AT(index): the payload is gathered from the caller's values; else it is the index.

#if !defined(VALUE_AT)
#define VALUE_AT(index) (index)
#endif

void store(Record record) {
#if defined(COMPARISON) || defined(LOW_WORD_LOOKED_UP)
    Key bits = keys_gather(index_in_input(record));
#elif KEY_WORDS == 1
    Key bits = decode_key(key_of(record));
#else
    Key bits = decode_key(key_of(record)).yx;
#endif
#if !defined(PAYLOAD)
    keys_out_write(bits);
#elif !defined(INTERLEAVED)
    keys_out_write(bits);
    values_out_write(VALUE_AT(index_in_input(record)));
#elif KEY_WORDS == 1
    keys_out_write(uvec2(bits, VALUE_AT(index_in_input(record))));
#elif KEY_WORDS == 2
    keys_out_write(uvec3(bits, VALUE_AT(index_in_input(record))));
#else
    keys_out_write(uvec4(bits, VALUE_AT(index_in_input(record))));
#endif
}
