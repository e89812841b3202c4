// Load chunk of all sorts: the caller's key becomes a record.

// LOADED_VALUE(index): the record has the caller's value instead of the index.

#if !defined(LOADED_VALUE)
#define LOADED_VALUE(index) (index)
#endif

Record load(uint element) {
#if defined(COMPARISON)
    return element;
#else
#if KEY_WORDS == 1
    Key code = encode_key(keys_gather(element));
#else
    // In memory the low word comes first.
    Key code = encode_key(keys_gather(element).yx);
#endif
#if defined(LOW_WORD_LOOKED_UP)
    return Record(code.x, element);
#elif RECORD_WORDS == KEY_WORDS
    return code;
#else
    return Record(code, LOADED_VALUE(element));
#endif
#endif
}
