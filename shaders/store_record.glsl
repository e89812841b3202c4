// Store chunk of all sorts: a record becomes the caller's key, and the payload follows.
// PAYLOAD: there is one. INTERLEAVED: key and payload are one element of a texture.
// VALUE_OF(record): the payload is gathered from the caller's values; else it is the index.

#if defined(PAYLOAD) && !defined(VALUE_OF)
#define VALUE_OF(record) ((record).y)
#endif

void store(Record record) {
#if !defined(PAYLOAD)
#if RECORD_WORDS == 1
    keys_out_write(decode_key(record));
#else
    keys_out_write(decode_key(record.x));
#endif
#elif defined(INTERLEAVED)
    keys_out_write(uvec2(decode_key(record.x), VALUE_OF(record)));
#else
    keys_out_write(decode_key(record.x));
    values_out_write(VALUE_OF(record));
#endif
}
