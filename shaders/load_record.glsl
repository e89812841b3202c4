// Load chunk of all sorts: the caller's key becomes a record.

Record load(uint element) {
#if KEY_WORDS == 1
    Key code = encode_key(keys_gather(element));
#else
    // In memory the low word comes first.
    Key code = encode_key(keys_gather(element).yx);
#endif
#if RECORD_WORDS == KEY_WORDS
    return code;
#else
    return Record(code, element);
#endif
}
