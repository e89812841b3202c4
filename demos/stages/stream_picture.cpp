#include "stream_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "elements.h"
#include "places.h"

namespace glsort::demo {

namespace {

void set_pixel(Picture& picture, std::uint32_t x, std::uint32_t y, Colour colour) {
    std::uint8_t* pixel = picture.rgba.data() + 4 * (std::size_t{y} * static_cast<std::size_t>(picture.width) + x);
    pixel[0] = colour.red;
    pixel[1] = colour.green;
    pixel[2] = colour.blue;
    pixel[3] = 255;
}

// The logarithm separates small numbers. Its square separates large ones.
float part_of(std::uint32_t word, std::uint32_t largest) {
    const float part = std::log2(1.0f + static_cast<float>(word)) / std::log2(1.0f + static_cast<float>(largest));
    return part * part;
}

}  // namespace

Colour word_colour(float part) {
    const auto mix = [part](float a, float b) { return static_cast<std::uint8_t>(a + (b - a) * part + 0.5f); };
    return {mix(52.0f, 250.0f), mix(30.0f, 205.0f), mix(46.0f, 232.0f)};
}

StreamGrid::StreamGrid(const Stream& stream, bool keys) : layout(stream.layout) {
    const std::uint32_t words = keys ? 1 : stream.words;
    if (stream.medium == Medium::buffer) {
        // Records one after the other, in rows of whole records.
        cells = stream.elements_per_record * words;
        across = cells;
        const std::uint32_t square = std::bit_ceil(
            static_cast<std::uint32_t>(std::sqrt(static_cast<double>(stream.records) * static_cast<double>(cells))));
        layout = {Layout::row_wise, std::max(1u, square / cells)};
        down = 1;
    } else {
        cells = stream.elements_per_record * words;
        const std::uint32_t all = std::bit_ceil(cells);
        down = 1u << (std::bit_width(all) - 1) / 2;
        across = all / down;
    }
    box = bounding_box(layout, stream.records);
}

Texel StreamGrid::place(std::uint32_t record, std::uint32_t cell) const {
    const Texel texel = texel_of(layout, record);
    return {texel.x * across + cell % across, texel.y * down + cell / across};
}

std::optional<StreamGrid::Cell> StreamGrid::at(std::uint32_t x, std::uint32_t y, std::uint32_t records) const {
    if (x >= width() || y >= height()) return std::nullopt;
    const Cell found{index_of(layout, {x / across, y / down}), y % down * across + x % across};
    if (found.record >= records || found.cell >= cells) return std::nullopt;
    return found;
}

Picture picture_of(const Moment& moment, StreamId id, const std::vector<std::uint32_t>& words) {
    const Stream& stream = moment.program->streams[id];
    const bool keys = moment.places->holds_keys(id);
    const StreamGrid grid(stream, keys);
    Picture picture{static_cast<int>(grid.width()), static_cast<int>(grid.height()), {}};
    picture.rgba.resize(std::size_t{4} * grid.width() * grid.height());
    for (std::uint32_t y = 0; y < grid.height(); ++y)
        for (std::uint32_t x = 0; x < grid.width(); ++x)
            set_pixel(picture, x, y, stream_colour::no_record);

    std::vector<Colour> scale(256);  // keys by place, words by logarithm
    for (std::size_t i = 0; i < scale.size(); ++i) {
        const float part = static_cast<float>(i) / static_cast<float>(scale.size() - 1);
        scale[i] = keys ? key_colour(part) : word_colour(part);
    }
    const auto colour_at = [&](float part) { return scale[static_cast<std::size_t>(part * 255.0f + 0.5f)]; };
    const std::size_t record_words = std::size_t{stream.words} * stream.elements_per_record;
    std::uint32_t largest = 1;
    const Substream& written = (*moment.written)[id];
    if (!keys)
        for (const Block& block : written.blocks())
            for (std::size_t i = record_words * block.begin; i < record_words * block.end; ++i)
                largest = std::max(largest, words[i]);
    const auto draw_records = [&](std::uint32_t begin, std::uint32_t end, bool is_written) {
        for (std::uint32_t record = begin; record < end; ++record)
            for (std::uint32_t cell = 0; cell < grid.cells; ++cell) {
                Colour colour = stream_colour::unwritten;
                if (is_written && keys) {
                    const auto height =
                        height_of(moment, id, element_words(stream, words, record * stream.elements_per_record + cell));
                    colour = height ? colour_at(*height) : stream_colour::no_key;
                } else if (is_written) {
                    colour = colour_at(part_of(words[record_words * record + cell], largest));
                }
                const Texel place = grid.place(record, cell);
                set_pixel(picture, place.x, place.y, colour);
            }
    };
    std::uint32_t next = 0;
    for (const Block& block : written.blocks()) {
        draw_records(next, block.begin, false);
        draw_records(block.begin, block.end, true);
        next = block.end;
    }
    draw_records(next, stream.records, false);
    return picture;
}

std::vector<Segment> outline_of(const StreamGrid& grid, const Substream& records) {
    const std::uint32_t width = grid.box.x1;
    const std::uint32_t height = grid.box.y1;
    std::vector<std::uint8_t> inside(std::size_t{width} * height);
    for (const Block& block : records.blocks())
        for (std::uint32_t record = block.begin; record < block.end; ++record) {
            const Texel texel = texel_of(grid.layout, record);
            inside[std::size_t{texel.y} * width + texel.x] = 1;
        }
    const auto is_inside = [&](std::int64_t x, std::int64_t y) {
        return x >= 0 && y >= 0 && x < width && y < height &&
               inside[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] != 0;
    };
    std::vector<Segment> segments;
    for (std::uint32_t y = 0; y <= height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            if (is_inside(x, y) == is_inside(x, std::int64_t{y} - 1)) continue;
            const std::uint32_t begin = x;
            while (x + 1 < width && is_inside(x + 1, y) != is_inside(x + 1, std::int64_t{y} - 1))
                ++x;
            segments.push_back({begin, y, x + 1, y});
        }
    for (std::uint32_t x = 0; x <= width; ++x)
        for (std::uint32_t y = 0; y < height; ++y) {
            if (is_inside(x, y) == is_inside(std::int64_t{x} - 1, y)) continue;
            const std::uint32_t begin = y;
            while (y + 1 < height && is_inside(x, y + 1) != is_inside(std::int64_t{x} - 1, y + 1))
                ++y;
            segments.push_back({x, begin, x, y + 1});
        }
    return segments;
}

}  // namespace glsort::demo
