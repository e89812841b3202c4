#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run.h"

namespace glsort::demo {

/// One sort, or two of the same input side by side, that are played, stepped and scrubbed.
class Player {
  public:
    /// A sort, or why there is none.
    struct Slot {
        Method method;
        std::unique_ptr<Run> run;
        std::string error;
    };
    /// What two sorts that are compared have in common as they go on.
    enum class Pace {
        op,    ///< The number of ops done.
        time,  ///< The time that these took on the device.
    };

    explicit Player(const Device& device) : device_(device) {}

    /// What is to be sorted, one way or two. Sorts that change are made by the next `update`, and begin at the input.
    void choose(const Input& input, const std::vector<Method>& methods);
    const Input& input() const { return input_; }
    const std::vector<Slot>& slots() const { return slots_; }
    /// Whether sorts are still to be made, which may take a while: shaders are compiled.
    bool making() const;

    /// Makes what is to be made, plays on, and runs ops for some `budget` of seconds at the most; `elapsed` is how long
    /// the last call was ago.
    void update(double elapsed, double budget);

    void play(bool on);
    bool playing() const { return playing_; }
    void set_speed(double ops_per_second);
    double speed() const { return speed_; }
    static constexpr double slowest = 0.5;
    static constexpr double fastest = 480.0;

    /// Of two sorts, which begin at the input again. One alone goes by op, whatever the pace is.
    void set_pace(Pace pace);
    Pace pace() const { return pace_; }

    /// To where the next op, or an earlier one, of any of the sorts is done; playing ends.
    void step(int ops);
    /// To where sort `slot` has done so many ops; playing ends.
    void seek(std::size_t slot, std::size_t ops);
    /// To a place between 0 and `length`; playing ends.
    void seek(double position);
    void seek_begin();
    void seek_end();
    /// Where they are on their way, and how long that is: in ops, or in milliseconds where two go by time.
    double position() const { return position_; }
    double length() const;
    /// Whether everything stands where it was sent.
    bool arrived() const;
    bool at_end() const;

  private:
    double end_of(const Run& run, std::size_t ops) const;
    std::size_t ops_at(const Run& run, double position) const;
    bool by_time() const { return pace_ == Pace::time && slots_.size() > 1; }
    bool measured() const;
    void send(double position);
    double stop_behind(double position) const;
    double stop_before(double position) const;

    const Device& device_;
    Input input_;
    std::vector<Slot> slots_;
    bool playing_ = false;
    double speed_ = 4.0;
    Pace pace_ = Pace::op;
    double position_ = 0.0;
    bool measuring_ = false;
};

}  // namespace glsort::demo
