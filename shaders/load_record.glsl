// Load chunk of all sorts: the caller's key becomes a record.

Record load(Index index) {
    uint code = encode_key(keys_read(index));
#if RECORD_WORDS == 1
    return code;
#else
    return Record(code, number_of(index));
#endif
}
