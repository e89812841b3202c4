// Elements of three words from three elements of one word each, as pixel unpack brought them into a texture.

void kernel(Index instance) {
    uint first = number_of(instance) * 3u;
    target_write(uvec3(source_gather(first), source_gather(first + 1u), source_gather(first + 2u)));
}
