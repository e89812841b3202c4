#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run.h"

namespace glsort::demo {

/// Plays, steps and seeks one sort, or two sorts of the same input side by side.
class Player {
  public:
    /// A sort, or the reason why there is none.
    struct Slot {
        Method method;
        std::unique_ptr<Run> run;
        std::string error;
    };
    /// The measure by which two compared sorts advance together.
    enum class Pace {
        op,    ///< The number of finished ops.
        time,  ///< The time that their ops took on the device.
    };

    explicit Player(const Device& device) : device_(device) {}

    /// Sets the input and one or two methods. The next `update` makes changed sorts, which begin at the input.
    void choose(const Input& input, const std::vector<Method>& methods);
    const Input& input() const { return input_; }
    const std::vector<Slot>& slots() const { return slots_; }
    /// Whether sorts are still to be made. Making a sort may take a while, because shaders are compiled.
    bool making() const;

    /// Makes pending sorts, plays on, and runs ops for at most about `budget` seconds. `elapsed`: seconds since the
    /// last call.
    void update(double elapsed, double budget);

    void play(bool on);
    bool playing() const { return playing_; }
    void set_speed(double ops_per_second);
    double speed() const { return speed_; }
    static constexpr double slowest = 0.5;
    static constexpr double fastest = 480.0;

    /// Sets the pace of two sorts, which restart at the input. A single sort always advances by op.
    void set_pace(Pace pace);
    Pace pace() const { return pace_; }

    /// Goes to the point at which the next op of any sort, or an earlier op, is done. Stops playing.
    void step(int ops);
    /// Goes to the point at which sort `slot` has done `ops` ops. Stops playing.
    void seek(std::size_t slot, std::size_t ops);
    /// Goes to a position between 0 and `length`. Stops playing.
    void seek(double position);
    void seek_begin();
    void seek_end();
    /// The current position and the total length: in ops, or in milliseconds if two sorts advance by time.
    double position() const { return position_; }
    double length() const;
    /// Whether every sort has reached its target.
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
