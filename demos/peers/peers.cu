// glsort-peers: times sorts of CUDA libraries, for `glsort bench --peers` (demos/glsort/cuda_peers.h says why this is a
// program of its own).
//
//     glsort-peers
//         prints the libraries of this build and their versions, as JSON
//     glsort-peers NAME count=N key-bytes=4|8 value-bytes=0|4|8 first-bit=B end-bit=B warm-up-ms=MS min-ms=MS
//                  repetitions=N <KEYS
//         sorts unsigned keys, and prints as JSON the milliseconds of each repetition and of a copy of the records

#ifdef GLSORT_PEERS_CUB
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#endif
#ifdef GLSORT_PEERS_LIBCUSORT
#include <libcusort.cuh>
#endif

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

void require(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// --- The libraries -----------------------------------------------------------------------------------------------

// No values.
struct None {};

// The types of what is sorted. `Count` is the type of the number of records: CUB has other kernels for each size of it.
template <class Key, class Value, class Count>
struct Records {
    const Key* keys_in;
    Key* keys_out;
    const Value* values_in;
    Value* values_out;
    Count count;
    int first_bit;
    int end_bit;
};

// Both libraries have functions of equal names and arguments.
template <class Library, class Key, class Value, class Count>
cudaError_t sort_by(void* scratch, std::size_t& scratch_bytes, const Records<Key, Value, Count>& records) {
    if constexpr (std::is_same_v<Value, None>)
        return Library::SortKeys(scratch, scratch_bytes, records.keys_in, records.keys_out, records.count,
                                 records.first_bit, records.end_bit);
    else
        return Library::SortPairs(scratch, scratch_bytes, records.keys_in, records.keys_out, records.values_in,
                                  records.values_out, records.count, records.first_bit, records.end_bit);
}

std::string cuda_version() {
    return std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
}

struct Library {
    std::string name;
    std::string version;
};

std::vector<Library> libraries() {
    std::vector<Library> list;
#ifdef GLSORT_PEERS_CUB
    list.push_back({"cub", "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                               std::to_string(CUB_SUBMINOR_VERSION) + ", CUDA " + cuda_version()});
#endif
#ifdef GLSORT_PEERS_LIBCUSORT
    list.push_back({"libcusort", "libcusort " LIBCUSORT_VERSION_STRING ", CUDA " + cuda_version()});
#endif
    return list;
}

// --- Time --------------------------------------------------------------------------------------------------------

struct Timing {
    double warm_up_ms = 0;
    double min_ms = 0;
    std::size_t repetitions = 0;  // 0: as many as fit min_ms.
};

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Keeps the GPU busy while launches are queued, so that the time of a launch is no part of what is measured.
__global__ void hold(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

class Event {
  public:
    Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() { require(cudaEventRecord(event_), "cudaEventRecord"); }
    void wait() { require(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    double ms_since(const Event& start) const {
        float ms = 0;
        require(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime");
        return ms;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

// Milliseconds of each repetition. The GPU works without a pause before the first one, and so has its full clocks.
template <class Work>
std::vector<double> time(Work work, const Timing& timing) {
    // Two batches take turns: one is queued while the program waits for the other.
    constexpr int batch = 4;
    Event ends[2];
    work();
    ends[0].record();
    ends[0].wait();  // The first run may load kernels.
    std::size_t runs = 0;
    const Clock::time_point start = Clock::now();
    for (int turn = 0; turn < 2 || ms_since(start) < timing.warm_up_ms; ++turn) {
        for (int i = 0; i < batch; ++i)
            work();
        runs += batch;
        ends[turn % 2].record();
        if (turn > 0) ends[(turn - 1) % 2].wait();
    }
    require(cudaDeviceSynchronize(), "warm-up");
    const double estimate = std::max(ms_since(start) / static_cast<double>(runs), 1e-3);

    std::size_t repetitions = timing.repetitions;
    if (repetitions == 0)
        repetitions = static_cast<std::size_t>(
            std::min(std::max(std::ceil(timing.min_ms / estimate), estimate > 500 ? 3.0 : 5.0), 1000.0));

    // CUDA queues about a thousand launches. A longer queue would wait for the kernel that holds the GPU.
    constexpr std::size_t most_queued = 32;
    std::vector<Event> from(most_queued), to(most_queued);
    std::vector<double> ms;
    while (ms.size() < repetitions) {
        const std::size_t count = std::min(most_queued, repetitions - ms.size());
        hold<<<1, 1>>>(10'000'000);  // Some 5 ms.
        require(cudaGetLastError(), "the kernel that holds the GPU");
        for (std::size_t i = 0; i < count; ++i) {
            from[i].record();
            work();
            to[i].record();
        }
        to[count - 1].wait();
        for (std::size_t i = 0; i < count; ++i)
            ms.push_back(to[i].ms_since(from[i]));
    }
    require(cudaDeviceSynchronize(), "measurement");
    return ms;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + (values.size() - 1) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// --- One measurement ---------------------------------------------------------------------------------------------

class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes) { require(cudaMalloc(&data_, std::max<std::size_t>(bytes, 1)), "memory"); }
    ~DeviceMemory() { cudaFree(data_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    char* data() const { return static_cast<char*>(data_); }

  private:
    void* data_ = nullptr;
};

struct Request {
    std::string library;
    std::size_t count = 0;
    int key_bytes = 4;
    int value_bytes = 0;
    int first_bit = 0;
    int end_bit = 32;
    Timing timing;
};

struct Result {
    std::vector<double> ms;
    double copy_ms = 0;
    bool verified = false;
};

// The bits that the sort compares.
template <class Key>
Key compared(Key key, const Request& request) {
    const int above = static_cast<int>(8 * sizeof(Key)) - request.end_bit;
    return static_cast<Key>(static_cast<Key>(key << above) >> (above + request.first_bit));
}

// Sorted by the host, digit by digit, and stable.
template <class Key>
std::vector<Key> sorted(std::vector<Key> keys, const Request& request) {
    std::vector<Key> next(keys.size());
    for (int bit = request.first_bit; bit < request.end_bit; bit += 8) {
        const auto digit = [&](Key key) {
            return static_cast<std::size_t>(compared(key, request) >> (bit - request.first_bit)) & 255u;
        };
        std::vector<std::size_t> places(257);
        for (const Key key : keys)
            ++places[digit(key) + 1];
        for (std::size_t i = 1; i < places.size(); ++i)
            places[i] += places[i - 1];
        for (const Key key : keys)
            next[places[digit(key)]++] = key;
        keys.swap(next);
    }
    return keys;
}

// With values, which are places: keys and values ascend together, and each value names the place of its key. All pairs
// then differ, and all places occur.
template <class Key, class Value>
bool is_sorted(const std::vector<Key>& in, const std::vector<Key>& out, const std::vector<Value>& values,
               const Request& request) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (values[i] >= in.size() || in[values[i]] != out[i]) return false;
        if (i == 0) continue;
        const Key before = compared(out[i - 1], request);
        const Key here = compared(out[i], request);
        if (here < before || (here == before && values[i] <= values[i - 1])) return false;
    }
    return true;
}

// Keys and values lie in one block each for input and output, so that one copy moves both.
template <class Library, class Key, class Value>
Result measure(const Request& request, const std::vector<Key>& keys) {
    constexpr bool has_values = !std::is_same_v<Value, None>;
    const std::size_t key_bytes = keys.size() * sizeof(Key);
    const std::size_t values_at = (key_bytes + 255) / 256 * 256;
    const std::size_t bytes = has_values ? values_at + keys.size() * sizeof(Value) : key_bytes;
    const DeviceMemory in(bytes), out(bytes);
    require(cudaMemcpy(in.data(), keys.data(), key_bytes, cudaMemcpyHostToDevice), "keys");
    if constexpr (has_values) {
        std::vector<Value> places(keys.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = static_cast<Value>(i);
        require(cudaMemcpy(in.data() + values_at, places.data(), places.size() * sizeof(Value), cudaMemcpyHostToDevice),
                "values");
    }

    Result result;
    const auto time_with = [&](auto count) {
        const Records<Key, Value, decltype(count)> records = {reinterpret_cast<const Key*>(in.data()),
                                                              reinterpret_cast<Key*>(out.data()),
                                                              reinterpret_cast<const Value*>(in.data() + values_at),
                                                              reinterpret_cast<Value*>(out.data() + values_at),
                                                              count,
                                                              request.first_bit,
                                                              request.end_bit};
        std::size_t scratch_bytes = 0;
        require(sort_by<Library>(nullptr, scratch_bytes, records), "a sort's question for memory");
        const DeviceMemory scratch(scratch_bytes);
        return time([&] { require(sort_by<Library>(scratch.data(), scratch_bytes, records), "a sort"); },
                    request.timing);
    };
    // The better of both types of count, where both can count so far.
    result.ms = time_with(static_cast<std::int64_t>(keys.size()));
    if (keys.size() <= 0x7fffffffu) {
        const std::vector<double> ms = time_with(static_cast<int>(keys.size()));
        if (median(ms) < median(result.ms)) result.ms = ms;
    }

    std::vector<Key> sorted_keys(keys.size());
    require(cudaMemcpy(sorted_keys.data(), out.data(), key_bytes, cudaMemcpyDeviceToHost), "sorted keys");
    if constexpr (has_values) {
        std::vector<Value> values(keys.size());
        require(
            cudaMemcpy(values.data(), out.data() + values_at, values.size() * sizeof(Value), cudaMemcpyDeviceToHost),
            "sorted values");
        result.verified = is_sorted(keys, sorted_keys, values, request);
    } else {
        result.verified = sorted_keys == sorted(keys, request);
    }

    Timing timing = request.timing;
    timing.min_ms = std::min(timing.min_ms, 100.0);
    result.copy_ms = median(time(
        [&] { require(cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyDeviceToDevice), "a copy"); }, timing));
    return result;
}

template <class Library, class Key>
Result measure_keys(const Request& request) {
    std::vector<Key> keys(request.count);
    if (std::fread(keys.data(), sizeof(Key), keys.size(), stdin) != keys.size())
        throw std::runtime_error("standard input has fewer keys than count=" + std::to_string(request.count));
    switch (request.value_bytes) {
        case 0:
            return measure<Library, Key, None>(request, keys);
        case 4:
            return measure<Library, Key, std::uint32_t>(request, keys);
        case 8:
            return measure<Library, Key, std::uint64_t>(request, keys);
        default:
            throw std::runtime_error("value-bytes=" + std::to_string(request.value_bytes) +
                                     ": the sizes are 0, 4 and 8");
    }
}

template <class Library>
Result measure_by(const Request& request) {
    const int bits = 8 * request.key_bytes;
    if (request.key_bytes != 4 && request.key_bytes != 8)
        throw std::runtime_error("key-bytes=" + std::to_string(request.key_bytes) + ": the sizes are 4 and 8");
    if (request.first_bit < 0 || request.first_bit >= request.end_bit || request.end_bit > bits)
        throw std::runtime_error("end-bit=" + std::to_string(request.end_bit) + ": the limit is " +
                                 std::to_string(bits) + ", and first-bit must be lower");
    return request.key_bytes == 4 ? measure_keys<Library, std::uint32_t>(request)
                                  : measure_keys<Library, std::uint64_t>(request);
}

Result measure_request(const Request& request) {
#ifdef GLSORT_PEERS_CUB
    if (request.library == "cub") return measure_by<cub::DeviceRadixSort>(request);
#endif
#ifdef GLSORT_PEERS_LIBCUSORT
    if (request.library == "libcusort") return measure_by<cusort::DeviceRadixSort>(request);
#endif
    throw std::runtime_error("this build has no library " + request.library);
}

// --- The command line --------------------------------------------------------------------------------------------

Request parse(int argc, char** argv) {
    Request request;
    request.library = argv[1];
    std::map<std::string, double> values = {{"count", 0},     {"key-bytes", 4},  {"value-bytes", 0},
                                            {"first-bit", 0}, {"end-bit", 32},   {"warm-up-ms", 400},
                                            {"min-ms", 300},  {"repetitions", 0}};
    for (int i = 2; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        const auto found = values.find(argument.substr(0, equals));
        char* end = nullptr;
        if (equals != std::string::npos && found != values.end())
            found->second = std::strtod(argument.c_str() + equals + 1, &end);
        if (end == nullptr || *end != '\0' || found->second < 0) throw std::runtime_error("what is " + argument + "?");
    }
    request.count = static_cast<std::size_t>(values["count"]);
    request.key_bytes = static_cast<int>(values["key-bytes"]);
    request.value_bytes = static_cast<int>(values["value-bytes"]);
    request.first_bit = static_cast<int>(values["first-bit"]);
    request.end_bit = static_cast<int>(values["end-bit"]);
    request.timing = {values["warm-up-ms"], values["min-ms"], static_cast<std::size_t>(values["repetitions"])};
    return request;
}

void run(int argc, char** argv) {
    cudaDeviceProp device{};
    require(cudaGetDeviceProperties(&device, 0), "no CUDA device");
    if (argc == 1) {
        std::printf("{\"device\": \"%s\", \"peers\": [", device.name);
        const char* between = "";
        for (const Library& library : libraries()) {
            std::printf("%s{\"name\": \"%s\", \"version\": \"%s\"}", between, library.name.c_str(),
                        library.version.c_str());
            between = ", ";
        }
        std::printf("]}\n");
        return;
    }
    const Result result = measure_request(parse(argc, argv));
    std::printf("{\"device\": \"%s\", \"verified\": %s, \"copy_ms\": %.6f, \"ms\": [", device.name,
                result.verified ? "true" : "false", result.copy_ms);
    for (std::size_t i = 0; i < result.ms.size(); ++i)
        std::printf("%s%.6f", i == 0 ? "" : ", ", result.ms[i]);
    std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "glsort-peers: %s\n", error.what());
        return 1;
    }
}
