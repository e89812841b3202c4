#include <fmt/format.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "job.h"
#include "support/codes.h"

#ifdef GLSORT_HAS_TBB
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/version.h>
#endif

namespace glsort::demo {
namespace {

#ifdef GLSORT_HAS_TBB
template <class Record>
void parallel_sort(std::vector<Record>& records) {
    tbb::parallel_sort(records.begin(), records.end());
}
std::string parallel_sort_version() {
    return fmt::format("oneTBB {}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
}
#else
// make_host_job() refuses the job before this function is called.
template <class Record>
void parallel_sort(std::vector<Record>&) {}
std::string parallel_sort_version() {
    return "";
}
#endif

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
class HostJob : public SortJob {
  public:
    HostJob(HostSort sort, const ItemType& type, const Items& input)
        : sort_(sort), codes_(type.key, type.order, type.bits), type_(type), input_(input), unsorted_(input.count) {
        for (std::size_t i = 0; i < input.count; ++i) {
            Bits bits;
            std::memcpy(&bits, input.keys.data() + i * (sizeof bits / 4), sizeof bits);
            if constexpr (std::is_same_v<Record, Bits>)
                unsorted_[i] = codes_.code_of(bits);
            else
                unsorted_[i] = {codes_.compared(bits), static_cast<std::uint32_t>(i)};
        }
    }

    AlgorithmChoice algorithm() const override { return {std::string(host_sort_name(sort_)), ""}; }
    void restore() override { records_ = unsorted_; }
    void sort() override {
        switch (sort_) {
            case HostSort::std_sort:
                return std::sort(records_.begin(), records_.end());
            case HostSort::std_stable_sort:
                return std::stable_sort(records_.begin(), records_.end(), comes_first);
            case HostSort::tbb_parallel_sort:
                return parallel_sort(records_);
        }
    }
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
    // A stable sort need not compare indices.
    static bool comes_first(const Record& a, const Record& b) {
        if constexpr (std::is_same_v<Record, Bits>)
            return a < b;
        else
            return a.first < b.first;
    }

    HostSort sort_;
    Codes<Bits> codes_;
    ItemType type_;
    Items input_;
    std::vector<Record> unsorted_;
    std::vector<Record> records_;
};

template <class Bits>
std::unique_ptr<SortJob> make_host_job_of(HostSort sort, const ItemType& type, const Items& input) {
    // If only some bits are compared, the code lacks the other bits. The index finds them.
    if (type.payload.kind == Payload::Kind::none && type.bits == BitRange{})
        return std::make_unique<HostJob<Bits, Bits>>(sort, type, input);
    return std::make_unique<HostJob<Bits, std::pair<Bits, std::uint32_t>>>(sort, type, input);
}

}  // namespace

std::uint64_t bytes_of_items(const ItemType& type, std::uint64_t count) {
    return count * key_bytes(type.key) + 4 * std::uint64_t{value_words(type.payload, count)};
}

std::unique_ptr<SortJob> make_cpu_job(const SortSpec& spec, const Items& input) {
    return std::make_unique<CpuJob>(spec, input);
}

std::string_view host_sort_name(HostSort sort) {
    switch (sort) {
        case HostSort::std_sort:
            return "std_sort";
        case HostSort::std_stable_sort:
            return "std_stable_sort";
        case HostSort::tbb_parallel_sort:
            return "tbb_parallel_sort";
    }
    return "";
}

std::string host_sort_version(HostSort sort) {
    if (sort == HostSort::tbb_parallel_sort) return parallel_sort_version();
#ifdef __GLIBCXX__
    return fmt::format("libstdc++ {}", _GLIBCXX_RELEASE);
#elif defined(_LIBCPP_VERSION)
    return fmt::format("libc++ {}", _LIBCPP_VERSION);
#else
    return "the standard library";
#endif
}

std::unique_ptr<SortJob> make_host_job(HostSort sort, const ItemType& type, const Items& input) {
    if (host_sort_version(sort).empty())
        throw std::runtime_error(fmt::format("{}: this build lacks the library", host_sort_name(sort)));
    return key_bytes(type.key) == 4 ? make_host_job_of<std::uint32_t>(sort, type, input)
                                    : make_host_job_of<std::uint64_t>(sort, type, input);
}

}  // namespace glsort::demo
