#include <glad/gl.h>
#include <glsort/base/fingerprint.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/errors.h"
#include "support/random.h"
#include "support/skip.h"

/// Binaries of programs that the application keeps.

namespace glsort::test {
namespace {

using Entries = std::map<std::string, std::vector<std::byte>>;

ProgramBinaries kept_in(Entries& entries) {
    return {.load = [&entries](std::string_view key) { return entries[std::string(key)]; },
            .store =
                [&entries](std::string_view key, std::span<const std::byte> entry) {
                    entries[std::string(key)].assign(entry.begin(), entry.end());
                }};
}

SortSpec kept_spec_for(const Place& place) {
    SortSpec spec;
    spec.algorithm = "merge:multiway";
    spec.backend = place.backend;
    spec.payload = Payload::bytes(4);
    spec.capacity = 900;
    return spec;
}

/// Makes a sorter with `entries` and sorts. Returns the number of shaders that were compiled.
std::size_t compiled_with(TestContext& context, const SortSpec& spec, const ProgramBinaries& binaries) {
    GlSpy spy(context);
    spy.count<&GladGLContext::CompileShader>("glCompileShader");
    SorterOptions options;
    options.binaries = binaries;
    Sorter sorter(spec, spy.loader(), options);
    Caller caller(context.gl(), sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, spec.capacity, run_seed());
    sorter.sort(caller.load(sample));
    CHECK(caller.wrong(sample) == "");
    return spy.calls("glCompileShader");
}

TEST_CASE("the second sorter compiles nothing, and takes no entry that does not fit", "[binaries]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    bool tested = false;
    constexpr std::size_t header_bytes = 32;
    std::size_t header_byte = random() % header_bytes;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Entries entries;
        const std::size_t all = compiled_with(context, kept_spec_for(place), kept_in(entries));
        CHECK(all > 2);
        if (!has_binaries(context)) {
            CHECK(entries.empty());
            continue;
        }
        tested = true;
        REQUIRE(!entries.empty());
        CHECK(compiled_with(context, kept_spec_for(place), kept_in(entries)) == 0);
        const Entries good = entries;
        for (const auto& [key, entry] : good) {
            CHECK(key.size() == 48);
            CHECK(entry.size() > header_bytes);
        }
        // Damage of each kind: one bit, an end that is cut off, nothing, something else, another program's entry.
        const auto damage = [&](const char* what, auto&& change) {
            INFO(what);
            entries = good;
            for (auto& [key, entry] : entries)
                change(entry);
            CHECK(compiled_with(context, kept_spec_for(place), kept_in(entries)) == all);
            // What was compiled anew is stored anew.
            CHECK(compiled_with(context, kept_spec_for(place), kept_in(entries)) == 0);
        };
        // All bytes of the header in turn.
        damage("a bit of the header",
               [&](std::vector<std::byte>& entry) { entry[header_byte++ % header_bytes] ^= std::byte{0x10}; });
        damage("a bit", [&](std::vector<std::byte>& entry) { entry[random() % entry.size()] ^= std::byte{0x10}; });
        damage("the end", [&](std::vector<std::byte>& entry) { entry.resize(random() % entry.size()); });
        damage("nothing", [&](std::vector<std::byte>& entry) { entry.clear(); });
        damage("noise", [&](std::vector<std::byte>& entry) {
            for (std::byte& byte : entry)
                byte = static_cast<std::byte>(random());
        });
        damage("another entry", [&](std::vector<std::byte>& entry) {
            for (const auto& [key, other] : good)
                if (other != entry) {
                    entry = other;
                    return;
                }
            entry.clear();
        });
        context.require_clean("binaries");
    }
    if (!tested) skip("no context here has formats for binaries");
}

TEST_CASE("only one of the two functions may be there, and a function may throw", "[binaries]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        if (!has_binaries(context)) {
            leave_out(describe(place) + " has no formats for binaries");
            continue;
        }
        INFO(describe(place));
        Entries entries;
        const ProgramBinaries both = kept_in(entries);
        const std::size_t all = compiled_with(context, kept_spec_for(place), {.store = both.store});
        CHECK(!entries.empty());
        CHECK(compiled_with(context, kept_spec_for(place), {.load = both.load}) == 0);
        entries.clear();
        CHECK(compiled_with(context, kept_spec_for(place), {.load = both.load}) == all);
        const ProgramBinaries throws{.store = [](std::string_view, std::span<const std::byte>) {
            throw std::runtime_error("the disk is full");
        }};
        CHECK_THROWS_WITH(compiled_with(context, kept_spec_for(place), throws), "the disk is full");
        context.require_clean("functions of binaries");
    }
}

TEST_CASE("a scene loads its programs, those of the caller's GLSL included", "[binaries][scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        if (!has_binaries(context)) {
            leave_out(describe(place) + " has no formats for binaries");
            continue;
        }
        INFO(describe(place));
        Entries entries;
        SceneSpec spec{.sources = {weighted(500), weighted(70)}, .key = KeyType::u32, .backend = place.backend};
        SorterOptions options;
        options.binaries = kept_in(entries);
        GlSpy spy(context);
        spy.count<&GladGLContext::CompileShader>("glCompileShader");
        const auto make = [&] { const SceneSorter sorter(spec, spy.loader(), options); };
        make();
        CHECK(spy.calls("glCompileShader") > 2);
        spy.forget();
        make();
        CHECK(spy.calls("glCompileShader") == 0);
        // Another text of the caller's is another program.
        spec.sources[0].sort_key += "\n// another line";
        spy.forget();
        make();
        CHECK(spy.calls("glCompileShader") > 0);
        context.require_clean("binaries of scenes");
    }
}

/// Calls of OpenGL while a sorter was made and used.
struct Attempts {
    std::size_t compiled = 0;  ///< Shaders.
    std::size_t offered = 0;   ///< Binaries that the driver got.
};

/// Calls `use(loader, options)`, which makes and uses a sorter.
template <class Use>
Attempts attempts_of(TestContext& context, const ProgramBinaries& binaries, const Use& use) {
    GlSpy spy(context);
    spy.count<&GladGLContext::CompileShader>("glCompileShader");
    spy.count<&GladGLContext::ProgramBinary>("glProgramBinary");
    SorterOptions options;
    options.binaries = binaries;
    use(spy.loader(), options);
    return {spy.calls("glCompileShader"), spy.calls("glProgramBinary")};
}

/// Makes a sorter, sorts, and checks the result.
void sort_elements(TestContext& context, const Place& place, const GetProcAddress& load, const SorterOptions& options) {
    const SortSpec spec = kept_spec_for(place);
    Sorter sorter(spec, load, options);
    CHECK(context.driver().GetError() == GL_NO_ERROR);
    Caller caller(context.gl(), sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, spec.capacity, run_seed());
    sorter.sort(caller.load(sample));
    CHECK(caller.wrong(sample) == "");
}

/// Makes a sorter of a scene, sorts, and checks the result.
void sort_scene(TestContext& context, const Place& place, const GetProcAddress& load, const SorterOptions& options) {
    const SceneSpec spec{.sources = {weighted(500), weighted(70)},
                         .key = KeyType::u32,
                         .backend = place.backend,
                         .results = {item_numbers()}};
    SceneSorter sorter(spec, load, options);
    CHECK(context.driver().GetError() == GL_NO_ERROR);
    std::mt19937_64 random(run_seed());
    const std::vector<Filled> contents{filled(500, 3, random), filled(70, 3, random)};
    SceneCaller caller(context.gl(), spec, contents, {500, 60});
    caller.arguments.results = {{.target = {caller.buffer(Words(std::size_t{4} * 570)), 0}}};
    sorter.sort(caller.arguments);
    CHECK(caller.wrong(sorter, expected_order(spec, contents, {500, 60}), false) == "");
}

// The places of numbers in an entry, as src/glsort/gl/program_entry.cpp stores entries.
constexpr std::size_t binary_hash_at = 16;
constexpr std::size_t format_at = 24;
constexpr std::size_t binary_at = 32;

/// Makes the hash fit, so that only the driver can refuse the entry.
void mend_hash(std::vector<std::byte>& entry) {
    std::uint32_t format = 0;
    std::memcpy(&format, entry.data() + format_at, sizeof(format));
    const std::uint64_t hash = fingerprint(std::span(entry).subspan(binary_at), fnv_start ^ format);
    std::memcpy(entry.data() + binary_hash_at, &hash, sizeof(hash));
}

/// Replaces the binary of an entry by noise.
void put_noise(std::vector<std::byte>& entry, std::mt19937_64& random) {
    for (std::size_t i = binary_at; i < entry.size(); ++i)
        entry[i] = static_cast<std::byte>(random());
    mend_hash(entry);
}

/// Names a format that no driver has.
void put_unknown_format(std::vector<std::byte>& entry) {
    const std::uint32_t format = 0x7fff1234u;
    std::memcpy(entry.data() + format_at, &format, sizeof(format));
    mend_hash(entry);
}

TEST_CASE("what the library or the driver refuses is compiled anew, without an error", "[binaries][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        if (!has_binaries(context)) {
            leave_out(describe(place) + " has no formats for binaries");
            continue;
        }
        for (const bool scene : {false, true}) {
            Entries entries;
            const auto attempts = [&] {
                return attempts_of(context, kept_in(entries), [&](const auto& load, const SorterOptions& options) {
                    (scene ? sort_scene : sort_elements)(context, place, load, options);
                });
            };
            INFO(describe(place) << (scene ? ", a scene" : ", elements"));
            const Attempts first = attempts();
            REQUIRE(first.compiled > 2);
            const Attempts second = attempts();
            CHECK(second.compiled == 0);
            CHECK(second.offered > 0);
            context.require_clean("good entries");
            const Entries good = entries;
            const auto check_damage = [&](const char* what, bool offered, const auto& change) {
                INFO(what);
                entries = good;
                for (auto& [key, entry] : entries)
                    change(entry);
                const Attempts damaged = attempts();
                CHECK(damaged.compiled == first.compiled);
                CHECK(damaged.offered == (offered ? second.offered : 0));
                CHECK(context.driver().GetError() == GL_NO_ERROR);
                // A driver may write a debug message about what the driver refuses.
                if (offered) context.clear();
                // What was compiled anew is stored anew.
                CHECK(attempts().compiled == 0);
                context.require_clean(what);
            };
            check_damage("a bit", false, [&](std::vector<std::byte>& entry) {
                entry[binary_at + random() % (entry.size() - binary_at)] ^= std::byte{0x10};
            });
            check_damage("the end", false,
                         [&](std::vector<std::byte>& entry) { entry.resize(random() % entry.size()); });
            check_damage("a binary of noise", true, [&](std::vector<std::byte>& entry) { put_noise(entry, random); });
            check_damage("an unknown format", true, [&](std::vector<std::byte>& entry) { put_unknown_format(entry); });
        }
        context.require_clean("entries that are refused");
    }
}

TEST_CASE("a folder keeps entries, and whatever is wrong with the folder does no harm", "[binaries]") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("glsort-binaries-" + std::to_string(std::random_device()()));
    const std::vector<std::byte> entry(1000, std::byte{7});
    const ProgramBinaries binaries = binaries_in_folder((folder / "new" / "folder").string());
    CHECK(binaries.load("a").empty());
    binaries.store("a", entry);
    CHECK(binaries.load("a") == entry);
    CHECK(binaries.load("b").empty());
    binaries.store("a", std::vector<std::byte>(3, std::byte{9}));
    CHECK(binaries.load("a").size() == 3);
    // No file is left beside the entry.
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder / "new" / "folder"))
        files += file.is_regular_file() ? 1 : 0;
    CHECK(files == 1);
    // A folder that cannot be: its name is that of a file.
    const ProgramBinaries none = binaries_in_folder((folder / "new" / "folder" / "a.glprogram").string());
    none.store("a", entry);
    CHECK(none.load("a").empty());
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glsort::test
