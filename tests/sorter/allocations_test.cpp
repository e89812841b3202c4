#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <string_view>

#include "sorter/scenes.h"
#include "sorter/sorting.h"

// The global operator new of this executable, with a counter. A test turns the counter on for its own thread. Under
// sanitizers (tests/CMakeLists.txt), the operator of the sanitizer stays: it finds mismatches that this operator would
// hide.
#if !defined(GLSORT_COUNTS_ALLOCATIONS)
#define GLSORT_COUNTS_ALLOCATIONS 1
#endif

#if GLSORT_COUNTS_ALLOCATIONS

namespace {

thread_local bool counting_allocations = false;
thread_local std::size_t allocations = 0;
thread_local std::size_t largest = 0;  // In bytes.

void* allocate(std::size_t size, std::size_t alignment) {
    if (counting_allocations) {
        ++allocations;
        largest = std::max(largest, size);
    }
    size = size == 0 ? 1 : size;
    void* memory = alignment <= alignof(std::max_align_t)
                       ? std::malloc(size)
                       : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// The other forms (of arrays, without exceptions) call these functions. Not inlined, because gcc would report a
// mismatch of std::malloc and std::free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    return allocate(size, 1);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace glsort::test {
namespace {

/// Allocations of this thread by operator new while `action` runs. Drivers use malloc.
template <class Action>
std::size_t allocations_of(const Action& action) {
    allocations = largest = 0;
    counting_allocations = true;
    action();
    counting_allocations = false;
    return allocations;
}

TEST_CASE("allocations are counted", "[sorter]") {
    CHECK(allocations_of([] {}) == 0);
    // Called as functions. Otherwise the compiler may remove a pair of calls.
    CHECK(allocations_of([] {
              ::operator delete(::operator new(1000));
              ::operator delete[](::operator new[](3));
              constexpr std::align_val_t alignment{256};
              ::operator delete(::operator new(100, alignment), alignment);
          }) == 3);
    CHECK(largest == 1000);
}

TEST_CASE("a sort of a count like the last one's allocates nothing", "[sorter]") {
    struct Mode {
        Medium input;
        Medium output;
        bool own_output;
        const char* algorithm = "automatic";
    };
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        // Mesa allocates with malloc. Another driver may use the operator that this test counts.
        const auto* version = reinterpret_cast<const char*>(context.gl().GetString(GL_VERSION));
        if (std::string_view(version).find("Mesa") == std::string_view::npos)
            return skip(fmt::format("{} may allocate by operator new itself", version));
        for (const StatePolicy policy : {StatePolicy::restore, StatePolicy::caller_resets})
            for (const Mode& mode :
                 {Mode{Medium::buffer, Medium::buffer, false}, Mode{Medium::buffer, Medium::texture, true},
                  Mode{Medium::texture, Medium::texture, false},
                  Mode{Medium::buffer, Medium::buffer, false, "abisort"}})
                for (const bool debug_groups : {false, true}) {
                    if (mode.output == Medium::texture && !writes_textures(place)) continue;
                    // GPU-ABiSort only if both backends store in place.
                    if (mode.algorithm == std::string("abisort") && (place.tier != Tier::gl45 || debug_groups))
                        continue;
                    SortSpec spec;
                    spec.algorithm = mode.algorithm;
                    spec.payload = Payload::bytes(4);
                    spec.backend = place.backend;
                    spec.capacity = 500;
                    spec.input = mode.input;
                    spec.output = mode.output;
                    spec.own_output = mode.own_output;
                    SorterOptions options;
                    options.state = policy;
                    options.debug_groups = debug_groups;
                    Sorter sorter(spec, context.get_proc_address(), options);
                    Caller caller(context.gl(), sorter);
                    Caller other(context.gl(), sorter);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, 500, 1);
                    const SortArguments& first = caller.load(sample);
                    const SortArguments& second = other.load(sample);
                    const auto sort = [&](const SortArguments& arguments) {
                        if (mode.own_output)
                            sorter.sort_to_texture(arguments);
                        else
                            sorter.sort(arguments);
                    };
                    // Drivers compile late, so the first sorts are not counted.
                    for (int i = 0; i < 2; ++i) {
                        sort(first);
                        sort(second);
                    }
                    // The test context stores the messages of debug groups.
                    context.driver().Disable(GL_DEBUG_OUTPUT);
                    INFO(describe(place) << ": " << describe(spec) << ", "
                                         << (policy == StatePolicy::restore ? "restore" : "caller_resets"));
                    CHECK(allocations_of([&] {
                              for (int i = 0; i < 10; ++i)
                                  sort(i % 2 == 0 ? first : second);
                          }) == 0);
                    context.driver().Enable(GL_DEBUG_OUTPUT);
                    reset_state(context.gl());
                    context.clear();
                }
    }
}

TEST_CASE("a sort allocates nothing, whatever its count", "[sorter]") {
    constexpr std::uint32_t capacity = 9000;
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<std::uint32_t> counts{capacity, 0, 1};
    for (std::uint32_t power = 2; power < capacity; power *= 2)
        counts.insert(counts.end(), {power - 1, power, power + 1});
    std::shuffle(counts.begin(), counts.end(), random);
    std::size_t sorters = 0;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto* version = reinterpret_cast<const char*>(context.gl().GetString(GL_VERSION));
        if (std::string_view(version).find("Mesa") == std::string_view::npos)
            return skip(fmt::format("{} may allocate by operator new itself", version));
        for (const char* algorithm : {"automatic", "merge:multiway", "merge:shared", "radix:reduce-then-scan",
                                      "radix:one-sweep", "bitonic:step", "bitonic:local", "odd-even:step",
                                      "sample:multi-level", "sample:paper", "sample:randomized"}) {
            // Buffers or textures, by the seed.
            const bool textures = writes_textures(place) && random() % 2 == 0;
            SortSpec spec;
            spec.algorithm = algorithm;
            spec.payload = Payload::bytes(4);
            spec.backend = place.backend;
            spec.capacity = capacity;
            spec.input = spec.output = textures ? Medium::texture : Medium::buffer;
            std::unique_ptr<Sorter> sorter;
            try {
                sorter = std::make_unique<Sorter>(spec, context.get_proc_address());
            } catch (const Error&) {
                continue;  // Not on this backend.
            }
            INFO(describe(place) << ": " << describe(spec));
            Caller caller(context.gl(), *sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, capacity, seed.value());
            SortArguments arguments = caller.load(sample);
            sorter->sort(arguments);
            CHECK(caller.wrong(sample) == "");
            ++sorters;
            // Drivers compile late, and may allocate by operator new then.
            for (const std::uint32_t count : counts) {
                arguments.count = count;
                sorter->sort(arguments);
            }
            context.driver().Disable(GL_DEBUG_OUTPUT);
            for (const std::uint32_t count : counts) {
                arguments.count = count;
                INFO("count " << count);
                CHECK(allocations_of([&] { sorter->sort(arguments); }) == 0);
            }
            context.driver().Enable(GL_DEBUG_OUTPUT);
            reset_state(context.gl());
            context.clear();
        }
    }
    CHECK(sorters > 20);
}

TEST_CASE("a scene allocates nothing, whatever its counts", "[sorter][scene]") {
    std::mt19937_64 random(1);
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto* version = reinterpret_cast<const char*>(context.gl().GetString(GL_VERSION));
        if (std::string_view(version).find("Mesa") == std::string_view::npos)
            return skip(fmt::format("{} may allocate by operator new itself", version));
        for (const std::size_t sources : {std::size_t{1}, max_scene_sources}) {
            SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = place.backend};
            std::vector<Filled> contents;
            std::vector<std::uint32_t> counts(sources, 50);
            for (std::size_t i = 0; i < sources; ++i) {
                spec.sources.push_back(weighted(50));
                contents.push_back(filled(50, 4, random));
            }
            SorterOptions options;
            options.report_finished = options.fence = true;
            SceneSorter sorter(spec, context.get_proc_address(), options);
            SceneCaller caller(context.gl(), spec, contents, counts);
            for (int i = 0; i < 2; ++i)
                sorter.sort(caller.arguments);
            context.driver().Disable(GL_DEBUG_OUTPUT);
            INFO(describe(place) << ", " << sources << " sources");
            CHECK(allocations_of([&] {
                      for (std::uint32_t frame = 0; frame < 10; ++frame) {
                          for (SceneArguments::Source& source : caller.arguments.sources)
                              source.count = (source.count + 7 * frame) % 51;
                          sorter.sort(caller.arguments);
                          sorter.finished();
                      }
                  }) == 0);
            context.driver().Enable(GL_DEBUG_OUTPUT);
            reset_state(context.gl());
            context.clear();
        }
    }
}

TEST_CASE("sorts in pieces allocate no more than whole sorts, nor do sorts of other counts", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto* version = reinterpret_cast<const char*>(context.gl().GetString(GL_VERSION));
        if (std::string_view(version).find("Mesa") == std::string_view::npos)
            return skip(fmt::format("{} may allocate by operator new itself", version));
        for (const bool gpu_count : {false, true}) {
            const auto allocations_with = [&](std::uint32_t limit) {
                SortSpec spec;
                spec.algorithm = "bitonic:step";
                spec.backend = place.backend;
                spec.capacity = 600;
                spec.gpu_count = gpu_count;
                SorterOptions options;
                options.max_elements_per_draw = limit;
                Sorter sorter(spec, context.get_proc_address(), options);
                Caller caller(context.gl(), sorter);
                SortArguments arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 600, 1));
                CallerBuffer count(context.gl(), {599});
                if (gpu_count) arguments.gpu_count = {count.name(), 0};
                if (gpu_count) arguments.count = 0;
                sorter.sort(arguments);
                sorter.sort(arguments);
                context.driver().Disable(GL_DEBUG_OUTPUT);
                const std::size_t same = allocations_of([&] { sorter.sort(arguments); });
                std::size_t others = 0;
                if (!gpu_count) {
                    others = allocations_of([&] {
                        for (const std::uint32_t n : {599u, 513u, 590u, 600u}) {
                            arguments.count = n;
                            sorter.sort(arguments);
                        }
                    });
                }
                context.driver().Enable(GL_DEBUG_OUTPUT);
                context.clear();
                CHECK(same == 0);
                return others;
            };
            INFO(describe(place) << ", gpu_count " << gpu_count);
            CHECK(allocations_with(100) == allocations_with(0));
        }
    }
}

TEST_CASE("a merge of lists like the last ones allocates nothing", "[sorter]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    const auto* version = reinterpret_cast<const char*>(context.gl().GetString(GL_VERSION));
    if (std::string_view(version).find("Mesa") == std::string_view::npos)
        return skip(fmt::format("{} may allocate by operator new itself", version));
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        SortSpec spec;
        spec.payload = Payload::none();
        spec.backend = backend;
        spec.capacity = 40;
        spec.max_lists = 8;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        // Equal keys are sorted lists, for any lengths.
        Sample sample;
        sample.count = 40;
        sample.keys = sample.sorted_keys = Words(40, 7);
        const SortArguments& arguments = caller.load(sample);
        const Words lists{10, 0, 29, 1};
        for (int i = 0; i < 2; ++i)
            sorter.merge(arguments, lists);
        context.driver().Disable(GL_DEBUG_OUTPUT);
        INFO(to_string(backend));
        CHECK(allocations_of([&] {
                  for (int i = 0; i < 10; ++i)
                      sorter.merge(arguments, lists);
              }) == 0);
        context.driver().Enable(GL_DEBUG_OUTPUT);
        CHECK(caller.wrong(sample) == "");
        context.clear();
    }
}

TEST_CASE("textures of ever other shapes take no more memory", "[sorter]") {
    // The memory of an op for a texture of another shape must replace the op's old memory.
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 20;
        spec.input = spec.output = Medium::texture;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        std::vector<std::unique_ptr<Caller>> callers;
        for (std::uint32_t width = 7; width < 11; ++width) {
            Arrangement arrangement;
            arrangement.input = TextureView{0, width, 17, Layout::row_wise};
            arrangement.output =
                width % 2 == 0 ? TextureView{0, 8, 8, Layout::z_order} : TextureView{0, width + 5, 4, Layout::row_wise};
            callers.push_back(std::make_unique<Caller>(context.gl(), sorter, arrangement));
        }
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 20, 1);
        for (const auto& caller : callers)
            caller->load(sample);
        const auto sort_all = [&](int times) {
            for (int i = 0; i < times; ++i)
                for (const auto& caller : callers)
                    sorter.sort(caller->arguments());
        };
        sort_all(2);
        allocations_of([&] { sort_all(2); });
        const std::size_t before = largest;
        allocations_of([&] { sort_all(100); });
        CHECK(largest <= before);
        context.require_clean("shapes");
    }
}

}  // namespace
}  // namespace glsort::test

#endif
