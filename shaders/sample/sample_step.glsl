// A step of a bitonic network over each bucket: partners are those whose places in the bucket differ by op_mask, and
// the smaller record goes to the smaller place. Of the first step of a stage the mask has all bits of a block, which
// mirrors its upper half, so that all blocks ascend; and what lies past the end of a bucket counts as greater than
// everything.

// The bucket that has the element: the last of op_buckets that begins at it or before it.
uint bucket_of(uint element) {
    uint low = 0u;
    uint high = op_buckets;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (starts_gather(middle) <= element) low = middle;
        else high = middle;
    }
    return low;
}

void kernel(Index instance) {
    uint element = number_of(instance);
    uint bucket = bucket_of(element);
    uint begin = starts_gather(bucket);
    uint partner = begin + ((element - begin) ^ op_mask);
    Record mine = source_gather(element);
    if (partner < starts_gather(bucket + 1u)) {
        Record other = source_gather(partner);
        if (precedes(other, mine) == (element < partner)) mine = other;
    }
    target_write(mine);
}
