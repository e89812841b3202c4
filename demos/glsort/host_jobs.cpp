#include <glsort/sorter.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "job.h"
#include "support/codes.h"

namespace glsort::demo {
namespace {

class CpuJob : public SortJob {
  public:
    CpuJob(const SortSpec& spec, const Items& input) : sorter_(spec), input_(input), items_(input) {}

    AlgorithmChoice algorithm() const override { return {sorter_.program().algorithm, sorter_.program().variant}; }
    void restore() override { items_ = input_; }
    void sort() override { sorter_.sort(items_.keys, items_.values); }
    void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) override {
        sorter_.begin(items_.keys, items_.values);
        const std::size_t ops = sorter_.program().ops.size();
        while (sorter_.step())
            done(sorter_.steps_done(), ops);
    }
    Items result() override { return items_; }
    std::optional<std::uint64_t> comparisons() const override { return sorter_.comparisons(); }

  private:
    CpuSorter sorter_;
    Items input_;
    Items items_;
};

// A record is a code, or a pair of a code and an index.
template <class Bits, class Record>
class StdSortJob : public SortJob {
  public:
    StdSortJob(const ItemType& type, const Items& input)
        : codes_(type.key, type.order, type.bits), type_(type), input_(input), unsorted_(input.count) {
        for (std::size_t i = 0; i < input.count; ++i) {
            Bits bits;
            std::memcpy(&bits, input.keys.data() + i * (sizeof bits / 4), sizeof bits);
            if constexpr (std::is_same_v<Record, Bits>)
                unsorted_[i] = codes_.code_of(bits);
            else
                unsorted_[i] = {codes_.compared(bits), static_cast<std::uint32_t>(i)};
        }
    }

    AlgorithmChoice algorithm() const override { return {"std_sort", ""}; }
    void restore() override { records_ = unsorted_; }
    void sort() override { std::sort(records_.begin(), records_.end()); }
    void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) override {
        sort();
        done(1, 1);
    }

    Items result() override {
        if constexpr (std::is_same_v<Record, Bits>) {
            Items items;
            items.count = records_.size();
            items.keys.resize(input_.keys.size());
            for (std::size_t i = 0; i < records_.size(); ++i) {
                const Bits bits = codes_.key_of(records_[i]);
                std::memcpy(items.keys.data() + i * (sizeof bits / 4), &bits, sizeof bits);
            }
            return items;
        } else {
            std::vector<std::uint32_t> order(records_.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                order[i] = records_[i].second;
            return gathered(input_, type_, order);
        }
    }

  private:
    Codes<Bits> codes_;
    ItemType type_;
    Items input_;
    std::vector<Record> unsorted_;
    std::vector<Record> records_;
};

template <class Bits>
std::unique_ptr<SortJob> make_std_sort_job_of(const ItemType& type, const Items& input) {
    // If only some bits are compared, the code lacks the other bits. The index finds them.
    if (type.payload.kind == Payload::Kind::none && type.bits == BitRange{})
        return std::make_unique<StdSortJob<Bits, Bits>>(type, input);
    return std::make_unique<StdSortJob<Bits, std::pair<Bits, std::uint32_t>>>(type, input);
}

}  // namespace

std::uint64_t bytes_of_items(const ItemType& type, std::uint64_t count) {
    return count * key_bytes(type.key) + 4 * std::uint64_t{value_words(type.payload, count)};
}

std::unique_ptr<SortJob> make_cpu_job(const SortSpec& spec, const Items& input) {
    return std::make_unique<CpuJob>(spec, input);
}

std::unique_ptr<SortJob> make_std_sort_job(const ItemType& type, const Items& input) {
    return key_bytes(type.key) == 4 ? make_std_sort_job_of<std::uint32_t>(type, input)
                                    : make_std_sort_job_of<std::uint64_t>(type, input);
}

}  // namespace glsort::demo
