// A record of keys in registers, as texels of four.

const int RECORD_TEXELS = int(ELEMENTS / 4u);

// Sorts a bitonic sequence (Batcher 1968).
void sort_bitonic(inout uvec4 keys[RECORD_TEXELS]) {
    for (int i = 0; i < RECORD_TEXELS / 2; ++i) compare_texels(keys[i], keys[i + RECORD_TEXELS / 2]);
    if (RECORD_TEXELS > 4)
        for (int i = 0; i < RECORD_TEXELS; ++i)
            if ((i & 2) == 0) compare_texels(keys[i], keys[i + 2]);
    if (RECORD_TEXELS > 2)
        for (int i = 0; i < RECORD_TEXELS; i += 2) compare_texels(keys[i], keys[i + 1]);
    for (int i = 0; i < RECORD_TEXELS; ++i) keys[i] = sort_bitonic_four(keys[i]);
}

// Writes the record of ascending keys; of a side whose keys are complements, `toward` is NONE.
void write_side(uvec4 keys[RECORD_TEXELS], uint toward) {
    for (int i = 0; i < RECORD_TEXELS; ++i)
        for (int k = 0; k < 4; ++k)
            target_write(uint(4 * i + k), toward == 0u ? keys[i][k] : ~keys[RECORD_TEXELS - 1 - i][3 - k]);
}
