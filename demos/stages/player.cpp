#include "player.h"

#include <algorithm>
#include <exception>
#include <limits>

namespace glsort::demo {

void Player::choose(const Input& input, const std::vector<Method>& methods) {
    const bool other_input = !(input == input_);
    input_ = input;
    std::vector<Slot> slots(methods.size());
    bool changed = slots.size() != slots_.size();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        slots[i].method = methods[i];
        if (!other_input && i < slots_.size() && slots_[i].method == methods[i])
            slots[i] = std::move(slots_[i]);
        else
            changed = true;
    }
    slots_ = std::move(slots);
    if (!changed) return;
    // Restarts all sorts together.
    measuring_ = by_time();
    send(0.0);
}

bool Player::making() const {
    return std::ranges::any_of(slots_, [](const Slot& slot) { return slot.run == nullptr && slot.error.empty(); });
}

void Player::update(double elapsed, double budget) {
    if (making()) {
        for (Slot& slot : slots_) {
            if (slot.run != nullptr || !slot.error.empty()) continue;
            try {
                slot.run = std::make_unique<Run>(input_, slot.method, &device_);
            } catch (const std::exception& error) {
                slot.error = error.what();
            }
        }
        return send(position_);
    }
    if (measuring_ && arrived()) {
        // Runs to the end once, so that every op's time is known. Then returns to the previous position.
        if (measured()) {
            measuring_ = false;
            send(position_);
        } else {
            for (Slot& slot : slots_)
                if (slot.run != nullptr) slot.run->aim(slot.run->ops());
        }
    } else if (playing_ && arrived()) {
        std::size_t longest = 1;
        for (const Slot& slot : slots_)
            if (slot.run != nullptr) longest = std::max(longest, slot.run->ops());
        send(
            std::min(length(), position_ + std::min(elapsed, 0.25) * speed_ * length() / static_cast<double>(longest)));
        if (position_ >= length()) playing_ = false;
    }
    for (Slot& slot : slots_) {
        if (slot.run == nullptr) continue;
        try {
            slot.run->work(budget / static_cast<double>(slots_.size()));
        } catch (const std::exception& error) {
            slot.error = error.what();
            slot.run.reset();
        }
    }
}

void Player::play(bool on) {
    if (on && at_end()) send(0.0);
    playing_ = on;
}

void Player::set_speed(double ops_per_second) {
    speed_ = std::clamp(ops_per_second, slowest, fastest);
}

void Player::set_pace(Pace pace) {
    if (pace == pace_) return;
    pace_ = pace;
    if (slots_.size() < 2) return;
    measuring_ = by_time();
    send(0.0);
}

void Player::step(int ops) {
    playing_ = false;
    double position = position_;
    for (; ops > 0; --ops)
        position = stop_behind(position);
    for (; ops < 0; ++ops)
        position = stop_before(position);
    send(position);
}

void Player::seek(std::size_t slot, std::size_t ops) {
    playing_ = false;
    if (slots_[slot].run != nullptr) send(end_of(*slots_[slot].run, ops));
}

void Player::seek(double position) {
    playing_ = false;
    send(std::clamp(position, 0.0, length()));
}

void Player::seek_begin() {
    playing_ = false;
    send(0.0);
}

void Player::seek_end() {
    playing_ = false;
    send(length());
}

bool Player::arrived() const {
    return std::ranges::all_of(
        slots_, [](const Slot& slot) { return slot.run == nullptr || slot.run->done() == slot.run->target(); });
}

bool Player::at_end() const {
    return !making() && position_ >= length();
}

// The position at which one sort has done its first `ops` ops.
double Player::end_of(const Run& run, std::size_t ops) const {
    if (!by_time()) return static_cast<double>(std::min(ops, run.ops()));
    double sum = 0.0;
    for (std::size_t op = 0; op < std::min(ops, run.ops()); ++op)
        sum += run.milliseconds(op).value_or(0.0);
    return sum;
}

double Player::length() const {
    double length = 0.0;
    for (const Slot& slot : slots_)
        if (slot.run != nullptr) length = std::max(length, end_of(*slot.run, slot.run->ops()));
    return length;
}

std::size_t Player::ops_at(const Run& run, double position) const {
    // Positions of this player are equal sums, without rounding differences. Rounding matters only for other positions.
    if (!by_time()) return static_cast<std::size_t>(std::min(position, static_cast<double>(run.ops())) + 1e-9);
    double sum = 0.0;
    for (std::size_t op = 0; op < run.ops(); ++op) {
        sum += run.milliseconds(op).value_or(0.0);
        if (sum > position * (1.0 + 1e-12)) return op;
    }
    return run.ops();
}

bool Player::measured() const {
    for (const Slot& slot : slots_)
        for (std::size_t op = 0; slot.run != nullptr && op < slot.run->ops(); ++op)
            if (!slot.run->milliseconds(op)) return false;
    return true;
}

void Player::send(double position) {
    position_ = position;
    for (Slot& slot : slots_)
        if (slot.run != nullptr) slot.run->aim(ops_at(*slot.run, position));
}

// The next position at which an op of any sort is done.
double Player::stop_behind(double position) const {
    double next = std::numeric_limits<double>::infinity();
    for (const Slot& slot : slots_) {
        if (slot.run == nullptr) continue;
        const std::size_t done = ops_at(*slot.run, position);
        if (done < slot.run->ops()) next = std::min(next, end_of(*slot.run, done + 1));
    }
    return next < std::numeric_limits<double>::infinity() ? next : position;
}

// The previous position at which an op of any sort is done.
double Player::stop_before(double position) const {
    double last = 0.0;
    for (const Slot& slot : slots_) {
        if (slot.run == nullptr) continue;
        const std::size_t done = ops_at(*slot.run, position);
        const double end = end_of(*slot.run, done);
        if (end < position)
            last = std::max(last, end);
        else if (done > 0)
            last = std::max(last, end_of(*slot.run, done - 1));
    }
    return last;
}

}  // namespace glsort::demo
