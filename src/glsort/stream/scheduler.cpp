#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <utility>

namespace glsort {

void Scheduler::prepare(StreamProgram program, const Limits& limits) {
    begin_prepare(std::move(program), limits);
    executor_->resolve(program_, schedule_);
}

void Scheduler::begin_prepare(StreamProgram program, const Limits& limits) {
    validate(program, limits);
    Schedule schedule = make_schedule(program);
    program_ = std::move(program);
    schedule_ = std::move(schedule);
    done_ = 0;
}

bool Scheduler::go_on() {
    if (allocate_next()) return false;
    executor_->resolve(program_, schedule_);
    return true;
}

void Scheduler::exchange(PreparedProgram& other) {
    std::swap(program_, other.program);
    std::swap(schedule_, other.schedule);
    executor_->exchange(other.resolution);
    done_ = 0;
}

bool Scheduler::set_count(std::uint32_t count) {
    if (!program_.counts || !program_.counts->contains(count)) return false;
    glsort::set_count(program_, count);
    done_ = 0;
    executor_->recount(program_, schedule_);
    return true;
}

void Scheduler::set_parameter(std::size_t op, std::size_t parameter, std::uint32_t value) {
    program_.ops[op].parameters[parameter] = value;
    executor_->set_parameter(program_, op, parameter);
}

void Scheduler::set_block_parameters(std::size_t op, std::size_t block, std::size_t first,
                                     std::span<const std::uint32_t> values) {
    std::vector<std::uint32_t>& parameters = program_.ops[op].blocks[block].parameters;
    std::copy(values.begin(), values.end(), parameters.begin() + static_cast<std::ptrdiff_t>(first));
    executor_->set_block_parameters(program_, op, block, first, values.size());
}

void Scheduler::set_domain(std::size_t op, std::uint32_t end) {
    program_.ops[op].domain.set_end(end);
    executor_->set_domain(program_, op);
}

void Scheduler::run() {
    executor_->run(0, program_.ops.size());
    done_ = program_.ops.size();
}

bool Scheduler::step() {
    if (done_ == program_.ops.size()) return false;
    executor_->run(done_, done_ + 1);
    ++done_;
    return true;
}

std::vector<std::uint32_t> Scheduler::read(StreamId id) {
    if (id >= program_.streams.size()) throw Error(fmt::format("stream {} of {}", id, program_.streams.size()));
    return executor_->read(schedule_.current(program_, id, done_), program_.streams[id].records);
}

}  // namespace glsort
