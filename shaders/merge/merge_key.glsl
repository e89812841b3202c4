// The key of an element of the port `source`: its code, which is all that is read of it; or, where the
// caller's function compares, what its index leads to.

#if defined(COMPARISON)
Key key_at(uint element) { return input_keys_gather(source_gather(element)); }
#else
Key key_at(uint element) { return source_gather(element); }
#endif

// Whether parts of runs, one after the other, are in order as they are: each begins with nothing less than where
// the one before ends. `to` is behind a part's last element; a part may be empty.
bool is_in_order(uint from[RUNS], uint to[RUNS]) {
    Key last = Key(0u);
    bool any = false;
    for (int i = 0; i < RUNS; ++i)
        if (from[i] < to[i]) {
            if (any && key_precedes(key_at(from[i]), last)) return false;
            last = key_at(to[i] - 1u);
            any = true;
        }
    return true;
}
