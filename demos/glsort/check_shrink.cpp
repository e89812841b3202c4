#include "check_shrink.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "check_dice.h"

namespace glsort::check {
namespace {

std::string_view kind_of(const Failure& failure) {
    return std::string_view(failure.what).substr(0, failure.what.find(':'));
}

class Shrinker {
  public:
    Shrinker(const Round& round, const Failure& failure, const Choices& choices, const RunRound& run, double seconds)
        : best_{.round = round, .failure = failure}, choices_(choices), run_(run), kind_(kind_of(failure)) {
        end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    Shrunk shrink() {
        repeat();
        // A failure that does not repeat would be lost.
        if (best_.repeats == 0) return best_;
        drop_what_comes_after();
        drop_sorters();
        drop_visits();
        drop_calls();
        drop_states();
        lower_counts();
        simplify_specification();
        simplify_places();
        simplify_calls();
        lower_counts();
        lower_shares();
        return best_;
    }

  private:
    using Clock = std::chrono::steady_clock;

    void repeat() {
        best_.of_repeats = 0;
        // One repetition is enough if the round fails again. Later steps run the round many times.
        for (int i = 0; i < 3 && best_.repeats == 0 && (i == 0 || Clock::now() < end_); ++i) {
            ++best_.of_repeats;
            const std::optional<Failure> again = run_(best_.round);
            best_.repeats += again && kind_of(*again) == kind_ ? 1 : 0;
        }
    }

    /// Keeps the candidate if the candidate fails, too.
    bool keep(Round candidate) {
        if (Clock::now() > end_) return false;
        for (const SorterPlan& sorter : candidate.sorters) {
            const auto offer = std::ranges::find(choices_.offers, sorter.context(), &Offer::context);
            if (offer == choices_.offers.end()) return false;
            if (!is_possible(sorter.spec, *offer, sorter.least_limits ? offer->least : offer->limits)) return false;
        }
        const std::optional<Failure> failure = run_(candidate);
        if (!failure || kind_of(*failure) != kind_) return false;
        best_.round = std::move(candidate);
        best_.failure = *failure;
        return true;
    }

    /// Applies `change` to the round. Keeps the change if the round still fails.
    template <class Change>
    bool try_change(const Change& change) {
        Round candidate = best_.round;
        change(candidate);
        return keep(std::move(candidate));
    }

    void drop_what_comes_after() {
        try_change([this](Round& round) {
            if (best_.failure.visit >= round.visits.size()) return;
            round.visits.resize(best_.failure.visit + 1);
            std::vector<Call>& calls = round.visits.back().calls;
            calls.resize(std::min(calls.size(), best_.failure.call + 1));
        });
    }

    static void drop_sorter(Round& round, std::size_t number) {
        round.sorters.erase(round.sorters.begin() + static_cast<std::ptrdiff_t>(number));
        std::erase_if(round.visits, [number](const Visit& visit) { return visit.sorter == number; });
        for (Visit& visit : round.visits)
            if (visit.sorter > number) --visit.sorter;
    }

    void drop_sorters() {
        // Drops all other sorters at once, then one after the other.
        try_change([this](Round& round) {
            for (std::size_t i = round.sorters.size(); i-- > 0;)
                if (i != best_.failure.sorter) drop_sorter(round, i);
        });
        for (std::size_t i = best_.round.sorters.size(); i-- > 0 && best_.round.sorters.size() > 1;)
            try_change([i](Round& round) { drop_sorter(round, i); });
    }

    void drop_visits() {
        try_change([this](Round& round) {
            if (best_.failure.visit < round.visits.size())
                round.visits = {round.visits[best_.failure.visit]};
            else
                round.visits.clear();
        });
        drop_parts([](Round& round) -> std::vector<Visit>& { return round.visits; }, 0);
    }

    /// Drops halves of a list, then quarters, and so on. Stops at `least` entries, or if no entry can be dropped.
    template <class List>
    void drop_parts(const List& list, std::size_t least) {
        for (std::size_t part = (list(best_.round).size() + 1) / 2; part > 0; part = part > 1 ? (part + 1) / 2 : 0)
            for (std::size_t end = list(best_.round).size(); end > 0;) {
                const std::size_t begin = end > part ? end - part : 0;
                if (list(best_.round).size() - (end - begin) >= least)
                    try_change([&](Round& round) {
                        auto& all = list(round);
                        all.erase(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                  all.begin() + static_cast<std::ptrdiff_t>(end));
                    });
                // Entries before the dropped part have not moved.
                end = begin;
            }
    }

    void drop_calls() {
        for (std::size_t v = 0; v < best_.round.visits.size(); ++v)
            drop_parts([v](Round& round) -> std::vector<Call>& { return round.visits[v].calls; }, 1);
    }

    void drop_states() {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i) {
            try_change([i](Round& round) { round.sorters[i].farewell = Farewell::own_context; });
            try_change([i](Round& round) { round.sorters[i].born_with_error = false; });
            try_change([i](Round& round) { round.sorters[i].extensions = false; });
            if (best_.round.sorters[i].born) try_change([i](Round& round) { round.sorters[i].born.reset(); });
        }
        for (std::size_t i = 0; i < best_.round.visits.size(); ++i) {
            if (!best_.round.visits[i].state) continue;
            try_change([i](Round& round) { round.visits[i].state.reset(); });
            change_state(i, [](State& state) { state.feedback = false; });
            change_state(i, [](State& state) { state.query = false; });
        }
    }

    template <class Change>
    bool change_state(std::size_t visit, const Change& change) {
        if (!best_.round.visits[visit].state) return false;
        return try_change([visit, &change](Round& round) { change(*round.visits[visit].state); });
    }

    // Tries fewer settings, with several seeds each, until some of them fail.
    void lower_shares() {
        for (std::size_t i = 0; i < best_.round.visits.size(); ++i)
            for (const double share : {0.5, 0.2, 0.1, 0.05, 0.02, 0.01}) {
                bool failed = false;
                for (std::uint64_t turn = 0; turn < 12 && !failed; ++turn)
                    failed = change_state(i, [share, turn](State& state) {
                        if (share >= state.share) return;
                        state.share = share;
                        if (turn > 0) state.seed = mixed(state.seed, turn);
                    });
            }
    }

    void lower_counts() {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i) {
            for (std::size_t s = 0; s < best_.round.sorters[i].samples.size(); ++s)
                if (is_used(i, s)) lower_count(i, s);
            // Lowers the capacity to the largest count.
            try_change([i, this](Round& round) {
                std::uint32_t most = 1;
                SorterPlan& sorter = round.sorters[i];
                for (std::size_t s = 0; s < sorter.samples.size(); ++s) {
                    if (!is_used(i, s)) sorter.samples[s].count = 0;
                    most = std::max(most, sorter.samples[s].count);
                }
                if (!round.visits.empty()) sorter.spec.capacity = most;
                for (SlotPlan& slot : sorter.slots)
                    slot.input = slot.output = std::nullopt;
            });
        }
    }

    bool is_used(std::size_t sorter, std::size_t sample) const {
        return std::ranges::any_of(best_.round.visits, [=](const Visit& visit) {
            return visit.sorter == sorter &&
                   std::ranges::any_of(visit.calls, [=](const Call& call) { return call.sample == sample; });
        });
    }

    void lower_count(std::size_t sorter, std::size_t sample) {
        const auto with = [=](std::uint32_t count) {
            return [=](Round& round) { round.sorters[sorter].samples[sample].count = count; };
        };
        const auto& count = [&]() { return best_.round.sorters[sorter].samples[sample].count; };
        // Tries small counts first: if small counts can fail, they often do. Then searches between a count that passes
        // and a count that fails.
        for (const std::uint32_t small : {0u, 1u, 2u, 3u, 4u, 8u, 17u, 33u})
            if (small < count() && try_change(with(small))) return;
        std::uint32_t right = 0;
        while (count() > right + 1) {
            const std::uint32_t middle = right + (count() - right) / 2;
            if (!try_change(with(middle))) right = middle;
        }
    }

    template <class Change>
    void change_specification(const Change& change) {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i)
            try_change([i, &change](Round& round) { change(round.sorters[i].spec); });
    }

    template <class Change>
    void change_options(const Change& change) {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i)
            try_change([i, &change](Round& round) { change(round.sorters[i].options); });
    }

    void simplify_specification() {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i)
            try_change([i](Round& round) { round.sorters[i].shared_scratch = false; });
        change_options([](SorterOptions& options) { options.max_elements_per_draw = 0; });
        change_options([](SorterOptions& options) { options.caller_scratch = false; });
        change_options([](SorterOptions& options) { options.debug_groups = false; });
        change_options([](SorterOptions& options) { options.barrier_before = true; });
        change_options([](SorterOptions& options) { options.state = StatePolicy::restore; });
        change_specification([](SortSpec& spec) { spec.order.direction = Direction::ascending; });
        change_specification([](SortSpec& spec) { spec.tuning = {}; });
        change_specification([](SortSpec& spec) { spec.order.bits = {}; });
        change_specification([](SortSpec& spec) { spec.layout.reset(); });
        change_specification([](SortSpec& spec) { spec.gpu_count_medium = Medium::buffer; });
        change_specification([](SortSpec& spec) { spec.gpu_count = false; });
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i) {
            try_change([i](Round& round) {
                round.sorters[i].spec.order.comparison.reset();
                round.sorters[i].comparison = -1;
                round.sorters[i].spec.order.key = KeyType::u32;
            });
            try_change([i](Round& round) {
                round.sorters[i].spec.max_lists = 0;
                for (SamplePlan& sample : round.sorters[i].samples)
                    sample.lists = 0;
            });
            try_change([i](Round& round) { round.sorters[i].least_limits = false; });
            try_change([i](Round& round) {
                for (SamplePlan& sample : round.sorters[i].samples)
                    sample.distribution = demo::Distribution::uniform;
            });
        }
        change_specification([](SortSpec& spec) { spec.payload = Payload::none(); });
    }

    static SlotPlan plain(Storage storage, bool immutable_textures) {
        SlotPlan slot;
        slot.storage = storage;
        slot.immutable_textures = immutable_textures;
        return slot;
    }

    // Replaces ways that need a permanent mapping or immutable textures.
    static void need_nothing_special(Call& call) {
        if (call.upload == Upload::persistent) call.upload = Upload::copy;
        if (call.upload == Upload::copy_sub_image || call.upload == Upload::image_store)
            call.upload = Upload::sub_image;
        if (call.reading == Reading::mapping) call.reading = Reading::copy;
    }

    void simplify_places() {
        for (std::size_t i = 0; i < best_.round.sorters.size(); ++i)
            for (std::size_t s = 0; s < best_.round.sorters[i].slots.size(); ++s) {
                const auto change = [&](const auto& simplify) {
                    try_change([&](Round& round) { simplify(round.sorters[i].slots[s]); });
                };
                try_change([i, s](Round& round) {
                    SlotPlan& slot = round.sorters[i].slots[s];
                    slot = plain(Storage::plain, false);
                    for (Visit& visit : round.visits)
                        for (Call& call : visit.calls)
                            if (visit.sorter == i && call.slot == s) need_nothing_special(call);
                });
                change([](SlotPlan& slot) { slot = plain(slot.storage, slot.immutable_textures); });
                change([](SlotPlan& slot) { slot.one_buffer = false; });
                change([](SlotPlan& slot) { slot.before_keys = slot.before_values = 0; });
                change([](SlotPlan& slot) { slot.input.reset(); });
                change([](SlotPlan& slot) { slot.output.reset(); });
            }
    }

    void simplify_calls() {
        for (std::size_t v = 0; v < best_.round.visits.size(); ++v)
            for (std::size_t c = 0; c < best_.round.visits[v].calls.size(); ++c) {
                const auto change = [&](const auto& simplify) {
                    try_change([&](Round& round) { simplify(round, round.visits[v].calls[c]); });
                };
                change([](Round&, Call& call) { call.between = Between::nothing; });
                change([](Round&, Call& call) { call.junk = false; });
                change([](Round&, Call& call) { call.action = Action::sort; });
                change([](Round&, Call& call) { call.all_readers = true; });
                change([v](Round& round, Call& call) {
                    const SorterPlan& sorter = round.sorters[round.visits[v].sorter];
                    call.upload = sorter.spec.input == Medium::texture ? Upload::sub_image : Upload::sub_data;
                });
                change([v](Round& round, Call& call) {
                    const bool textures = round.sorters[round.visits[v].sorter].spec.output == Medium::texture;
                    call.reading = textures ? Reading::pixels : Reading::copy;
                });
            }
    }

    Shrunk best_;
    const Choices& choices_;
    const RunRound& run_;
    std::string kind_;
    Clock::time_point end_;
};

}  // namespace

Shrunk shrink(const Round& round, const Failure& failure, const Choices& choices, const RunRound& run, double seconds) {
    return Shrinker(round, failure, choices, run, seconds).shrink();
}

}  // namespace glsort::check
