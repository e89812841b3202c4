// The samples of a segment whose tiles of SAMPLED_TILE records are sorted: SAMPLES of a full tile, of a last one in
// proportion.

const uint SAMPLE_SPACING = SAMPLED_TILE / SAMPLES;

uint sample_count(uint size) { return size / SAMPLE_SPACING; }

// Where in the segment sample `number` lies.
#if defined(RANDOM)
// A bijection in which every bit of x affects every bit of the result (the multipliers are C. Wellons's, "Prospecting
// for Hash Functions", 2018).
uint hash(uint x) {
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}
uint sample_place(uint segment, uint number, uint size) {
    uint tile = number / SAMPLES * SAMPLED_TILE;
    return tile + hash(number ^ hash(segment ^ hash(op_seed))) % min(size - tile, SAMPLED_TILE);
}
#elif defined(DITHERED)
// Equidistant, but where they begin differs from tile to tile, evenly, as multiples of the golden ratio do: what
// samples leave open adds up where all tiles are alike.
uint sample_place(uint segment, uint number, uint size) {
    uint tile = number / SAMPLES;
    uint phase = (tile * 0x9e3779b9u >> 16u) * SAMPLE_SPACING >> 16u;
    bool whole = size - tile * SAMPLED_TILE >= SAMPLED_TILE;
    return number * SAMPLE_SPACING + (whole ? phase : SAMPLE_SPACING - 1u);
}
#else
// Equidistant, each with what comes between it and the one before.
uint sample_place(uint segment, uint number, uint size) { return (number + 1u) * SAMPLE_SPACING - 1u; }
#endif
