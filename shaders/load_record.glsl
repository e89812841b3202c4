// Load chunk of all sorts: the caller's key becomes a record.

Record load(uint element) {
    uint code = encode_key(keys_gather(element));
#if RECORD_WORDS == 1
    return code;
#else
    return Record(code, element);
#endif
}
