// Look-back: a group adds up what earlier tiles have published (Merrill and Garland, "Single-pass Parallel Prefix Scan
// with Decoupled Look-back", 2016).
//
// A row of `status` has a word for each digit value. 2^GLSORT_BLOCK_BITS tiles are a block. Each block has a row, and
// the rows of the block's tiles follow.
//
// At first the word of a tile has a count: the number of the tile's elements with the digit (GLSORT_COUNTED). Later the
// word has a sum: the place behind the elements with the digit in this tile and all earlier tiles (GLSORT_SUMMED). The
// two low bits say which. The word of a block adds up the counts of the block's tiles, except tile 0. When many groups
// begin at once, no tile has a sum yet. A group then reads words of blocks, because blocks are far fewer than tiles.
//
// expects ports: status
// expects parameters: first_status
// expects macros: GLSORT_BLOCK_BITS, GLSORT_DIGITS, GLSORT_LONGEST_WAIT, GLSORT_LOOK_BACK

const uint GLSORT_COUNTED = 1u;
const uint GLSORT_SUMMED = 2u;
const uint GLSORT_BLOCK = 1u << GLSORT_BLOCK_BITS;

// The rows of a tile, and of the block that has the tile.
uint glsort_row_of(uint tile) { return tile + tile / GLSORT_BLOCK + 1u; }
uint glsort_block_row_of(uint tile) { return tile / GLSORT_BLOCK * (GLSORT_BLOCK + 1u); }

uint glsort_status_at(uint row, uint digit) { return glsort_op_first_status + row * GLSORT_DIGITS + digit; }
uint glsort_word_of(uint tile, uint digit) { return glsort_status_load(glsort_status_at(glsort_row_of(tile), digit)); }

// The word of a block: a sum, and in the low bits the number of tiles that have added to the sum.
const uint GLSORT_TILES_BITS = GLSORT_BLOCK_BITS + 1u;
bool glsort_is_whole(uint word) { return (word & (1u << GLSORT_TILES_BITS) - 1u) == GLSORT_BLOCK; }

// Publishes how many elements of a digit a tile has.
void glsort_publish_count(uint tile, uint digit, uint count) {
    glsort_status_scatter(glsort_status_at(glsort_row_of(tile), digit), count << 2u | GLSORT_COUNTED);
    glsort_status_add(glsort_status_at(glsort_block_row_of(tile), digit), (count << GLSORT_TILES_BITS) + 1u);
}

// Publishes the sum of a digit: the start of the digit, plus the counts of a tile and of all earlier tiles.
void glsort_publish_sum(uint tile, uint digit, uint sum) {
    glsort_status_scatter(glsort_status_at(glsort_row_of(tile), digit), sum << 2u | GLSORT_SUMMED);
}

// Tile 0 has no earlier tiles, so its group publishes a sum at once. All other groups need this sum, which includes the
// start of the digit. So tile 0 adds no count to block 0.
void glsort_publish_first_sum(uint digit, uint sum) {
    glsort_publish_sum(0u, digit, sum);
    glsort_status_add(glsort_status_at(glsort_block_row_of(0u), digit), 1u);
}

// Adds the words of earlier tiles in the block of `tile`, from the last tile down. Stops at a tile that has a sum, and
// returns 0. Otherwise returns the tile before which no word has been added: the first tile of the block, unless a word
// did not come. Fetches several words at once.
uint glsort_look_back(uint tile, uint digit, inout uint sum) {
    for (uint looks = 0u; tile % GLSORT_BLOCK > 0u && looks < GLSORT_LONGEST_WAIT; ++looks) {
        uint words[GLSORT_LOOK_BACK];
        for (uint i = 0u; i < GLSORT_LOOK_BACK; ++i)
            words[i] = glsort_word_of(max(tile, i + 1u) - (i + 1u), digit);
        for (uint i = 0u; i < GLSORT_LOOK_BACK; ++i) {
            uint word = words[i];
            if ((word & 3u) == 0u || tile % GLSORT_BLOCK == 0u) break;
            sum += word >> 2u;
            looks = 0u;
            --tile;
            if ((word & 3u) == GLSORT_SUMMED) {
                tile = 0u;
                break;
            }
        }
    }
    return tile;
}

const uint GLSORT_BLOCKS_AT_ONCE = GLSORT_LOOK_BACK / 2u;  // A look at a block takes two words.

// Adds up all blocks before the block of `tile`. Returns whether the sum is complete. If the last tile of a block has a
// sum, this sum stands for the block and all earlier blocks.
bool glsort_look_back_over_blocks(uint tile, uint digit, inout uint sum) {
    tile -= tile % GLSORT_BLOCK;
    for (uint looks = 0u; tile > 0u && looks < GLSORT_LONGEST_WAIT; ++looks) {
        uint words[GLSORT_BLOCKS_AT_ONCE];
        uint blocks[GLSORT_BLOCKS_AT_ONCE];
        for (uint i = 0u; i < GLSORT_BLOCKS_AT_ONCE; ++i) {
            uint last = max(tile, i * GLSORT_BLOCK + 1u) - (i * GLSORT_BLOCK + 1u);
            words[i] = glsort_word_of(last, digit);
            blocks[i] = glsort_status_load(glsort_status_at(glsort_block_row_of(last), digit));
        }
        for (uint i = 0u; i < GLSORT_BLOCKS_AT_ONCE; ++i) {
            if ((words[i] & 3u) == GLSORT_SUMMED) {
                sum += words[i] >> 2u;
                tile = 0u;
            }
            if (tile <= 1u || !glsort_is_whole(blocks[i])) break;
            sum += blocks[i] >> GLSORT_TILES_BITS;
            looks = 0u;
            // Tile 1 means that only tile 0 is missing: block 0 lacks the sum of tile 0.
            tile = max(tile - GLSORT_BLOCK, 1u);
        }
    }
    return tile == 0u;
}
