#pragma once

#include <glsort/stream/schedule.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace glsort {

/// The properties that memory of a stream has from its allocation. Storages with different shapes never share memory.
struct StorageShape {
    bool begins_zero = false;
    std::uint32_t texel_words = 0;  ///< Textures only, like `layers` and `layout`.
    std::uint32_t layers = 0;
    StreamLayout layout = {};

    static StorageShape of(const Stream& stream) {
        if (stream.medium == Medium::buffer) return {.begins_zero = stream.begins_zero};
        return {.texel_words = stream.texel_words(), .layers = stream.layers(), .layout = stream.layout};
    }

    friend bool operator==(const StorageShape&, const StorageShape&) = default;
};

/// The memory of the scratch streams, kept from program to program. Each combination of stream, copy and shape has a
/// place. `Place` is the executor's memory object. It begins empty and grows to the largest program.
///
/// One planner's programs for different counts have the same streams (`StreamId`) and so the same places. A different
/// variant may use a stream number for another shape, and gets a separate place. Programs that alternate therefore keep
/// their memory.
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

    /// The place of a scratch storage, by its number in the schedule.
    Place& operator[](std::size_t storage) const { return *of_storages_[storage]; }

    /// Calls `visit` with each place.
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

    std::deque<std::pair<Key, Place>> places_;  ///< A deque, so that places never move.
    std::vector<Place*> of_storages_;
};

}  // namespace glsort
