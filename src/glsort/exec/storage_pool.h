#pragma once

#include <glsort/stream/schedule.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace glsort {

/// How the memory of a stream is made. Storages that differ in it never share memory.
struct StorageShape {
    bool begins_zero = false;
    std::uint32_t texel_words = 0;  ///< Of a texture, as `layers` and `layout` are.
    std::uint32_t layers = 0;
    StreamLayout layout = {};

    static StorageShape of(const Stream& stream) {
        if (stream.medium == Medium::buffer) return {.begins_zero = stream.begins_zero};
        return {.texel_words = stream.texel_words(), .layers = stream.layers(), .layout = stream.layout};
    }

    friend bool operator==(const StorageShape&, const StorageShape&) = default;
};

/// The memory of the library's streams, kept from program to program: a place for each stream and copy. `Place` is what
/// an executor has there; it begins empty and grows with the largest program.
///
/// Programs of one planner and other counts have the same streams (`StreamId`), and so the same places. What another
/// variant has as a stream of that number may be of another shape: it gets a place of its own. So programs that take
/// turns take no memory from each other.
template <class Place>
class StoragePool {
  public:
    /// Finds the places of a program's storages.
    void follow(const StreamProgram& program, const Schedule& schedule) {
        of_storages_.clear();
        for (const Storage& storage : schedule.storages) {
            const Stream& stream = program.streams[storage.stream];
            of_storages_.push_back(stream.role == StreamRole::scratch
                                       ? &find({storage.stream, storage.copy, StorageShape::of(stream)})
                                       : nullptr);
        }
    }

    /// The place of a storage of the library's, by its number in the schedule.
    Place& operator[](std::size_t storage) const { return *of_storages_[storage]; }

    /// Calls `visit` with every place.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& [key, place] : places_)
            visit(place);
    }

  private:
    struct Key {
        StreamId stream = 0;
        std::uint32_t copy = 0;
        StorageShape shape;
        friend bool operator==(const Key&, const Key&) = default;
    };

    Place& find(const Key& key) {
        for (auto& [known, place] : places_)
            if (known == key) return place;
        places_.emplace_back(key, Place{});
        return places_.back().second;
    }

    std::deque<std::pair<Key, Place>> places_;  ///< None of which moves.
    std::vector<Place*> of_storages_;
};

}  // namespace glsort
