#pragma once

#include <glsort/stream/schedule.h>

#include <algorithm>
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
        return {.texel_words = stream.texel_words(),
                .layers = stream.layers(),
                .layout = {stream.layout.kind, stream.layout.width}};
    }

    friend bool operator==(const StorageShape&, const StorageShape&) = default;
};

/// Pieces of memory, each for one key. `Place` is the executor's memory object. A place begins empty and grows to the
/// largest program.
template <class Place>
class StoragePlaces {
  public:
    struct Key {
        std::size_t number = 0;
        std::uint32_t copy = 0;
        StorageShape shape;
        friend bool operator==(const Key&, const Key&) = default;
    };

    /// The place of a key. Places never move.
    Place& find(const Key& key) {
        for (auto& [known, place] : places_)
            if (known == key) return place;
        places_.emplace_back(key, Place{});
        return places_.back().second;
    }

    /// Calls `visit` with each place.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& [key, place] : places_)
            visit(place);
    }
    template <class Visit>
    void for_each(const Visit& visit) {
        for (auto& [key, place] : places_)
            visit(place);
    }

    /// Frees one place. Returns false if there was none.
    bool free_next() {
        if (places_.empty()) return false;
        places_.pop_back();
        return true;
    }

    /// The number of times that a larger object has replaced the object of a place.
    std::uint64_t generation = 0;

  private:
    std::deque<std::pair<Key, Place>> places_;
};

/// The memory of the scratch streams, kept from program to program. Each combination of stream, copy and shape has a
/// place.
///
/// One planner's programs for different counts have equal streams (`StreamId`), and therefore share places. A different
/// variant may use a stream number for another shape, and gets a separate place. Programs that alternate therefore keep
/// their memory.
///
/// Shared places are found by shape instead, and by a number that counts the streams of this shape in the program.
/// Sorters of different algorithms have nothing else in common. Streams that begin as zero are never shared: each
/// algorithm leaves its own zeros.
template <class Place>
class StoragePool {
  public:
    /// The places of a program's storages.
    struct Followed {
        std::vector<Place*> of_storages;
        std::uint64_t seen = 0;  ///< The generation at `note_resolved`.
    };

    explicit StoragePool(StoragePlaces<Place>* shared) : shared_(shared) {}

    /// Finds the places of a program's storages.
    void follow(const StreamProgram& program, const Schedule& schedule) {
        now_.of_storages.clear();
        std::vector<StorageShape> shapes;
        for (const Storage& storage : schedule.storages) {
            const Stream& stream = program.streams[storage.stream];
            const StorageShape shape = StorageShape::of(stream);
            if (stream.role != StreamRole::scratch) {
                now_.of_storages.push_back(nullptr);
            } else if (shared_ == nullptr || shape.begins_zero) {
                now_.of_storages.push_back(&own_.find({storage.stream, storage.copy, shape}));
            } else {
                const auto number = static_cast<std::size_t>(std::count(shapes.begin(), shapes.end(), shape));
                now_.of_storages.push_back(&shared_->find({number, 0, shape}));
                shapes.push_back(shape);
            }
        }
    }

    /// Finds the places of a program's storages, and calls `allocate(storage)` for one after the other until a call
    /// returns true. Returns false if no call does.
    template <class Allocate>
    bool allocate_next(const StreamProgram& program, const Schedule& schedule, const Allocate& allocate) {
        follow(program, schedule);
        for (std::size_t storage = 0; storage < schedule.storages.size(); ++storage)
            if (allocate(storage)) return true;
        return false;
    }

    /// Exchanges the places of the program for those of another one.
    void exchange(Followed& other) { std::swap(now_, other); }

    /// The place of a scratch storage, by its number in the schedule.
    Place& operator[](std::size_t storage) const { return *now_.of_storages[storage]; }

    /// Places that only this pool has.
    const StoragePlaces<Place>& own() const { return own_; }
    StoragePlaces<Place>& own() { return own_; }

    /// To be called when the object of a place is replaced.
    void note_replacement() {
        ++own_.generation;
        if (shared_ != nullptr) ++shared_->generation;
    }
    /// To be called when a program has been resolved with the current objects.
    void note_resolved() { now_.seen = generation(); }
    /// Whether no object has been replaced since `note_resolved`. Another pool, or another program, may have replaced
    /// some.
    bool is_current() const { return now_.seen == generation(); }
    /// Grows with each replacement of an object.
    std::uint64_t generation() const { return own_.generation + (shared_ != nullptr ? shared_->generation : 0); }

  private:
    StoragePlaces<Place> own_;
    StoragePlaces<Place>* shared_;
    Followed now_;
};

}  // namespace glsort
