// The key of an element of the port `source`: its code, which is all that is read of it; or, where the
// caller's function compares, what its index leads to.

#if defined(COMPARISON)
Key key_at(uint element) { return input_keys_gather(source_gather(element)); }
#else
Key key_at(uint element) { return source_gather(element); }
#endif
