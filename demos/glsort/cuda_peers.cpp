#include "cuda_peers.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "support/child_process.h"
#include "support/codes.h"

namespace glsort::demo {
namespace {

template <class Bits>
std::vector<std::byte> codes_of(const ItemType& type, const Items& input) {
    const Codes<Bits> codes(type.key, type.order);
    std::vector<std::byte> bytes(input.count * sizeof(Bits));
    for (std::size_t i = 0; i < input.count; ++i) {
        Bits key;
        std::memcpy(&key, input.keys.data() + i * (sizeof key / 4), sizeof key);
        const Bits code = codes.code_of(key);
        std::memcpy(bytes.data() + i * sizeof code, &code, sizeof code);
    }
    return bytes;
}

// Whatever the program writes besides what it should.
template <class Use>
void read(const std::filesystem::path& program, const std::string& text, Use use) {
    try {
        use(nlohmann::json::parse(text));
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(fmt::format("{}: unexpected output: {}", program.string(), error.what()));
    }
}

}  // namespace

CudaPeers::CudaPeers(const std::filesystem::path& program)
    : program_(program.empty() ? own_folder() / "glsort-peers" : program) {
    if (!std::filesystem::exists(program_))
        throw std::runtime_error(
            fmt::format("there is no {}; the options GLSORT_PEERS_CUB and GLSORT_PEERS_LIBCUSORT of CMake build it",
                        program_.string()));
    read(program_, output_of_program(program_, {}), [this](const nlohmann::json& json) {
        for (const nlohmann::json& peer : json.at("peers"))
            peers_.push_back({peer.at("name"), peer.at("version")});
    });
}

CudaTimes CudaPeers::time(const CudaPeer& peer, const ItemType& type, const Items& input,
                          const TimingOptions& options) const {
    const std::uint32_t bytes = key_bytes(type.key);
    const BitRange bits = type.bits.of(type.key);
    const std::vector<std::byte> codes =
        bytes == 4 ? codes_of<std::uint32_t>(type, input) : codes_of<std::uint64_t>(type, input);
    const std::vector<std::string> arguments = {
        peer.name,
        fmt::format("count={}", input.count),
        fmt::format("key-bytes={}", bytes),
        fmt::format("value-bytes={}", type.payload.size),
        fmt::format("first-bit={}", bits.first),
        fmt::format("end-bit={}", bits.end),
        fmt::format("warm-up-ms={}", options.warm_up_ms),
        fmt::format("min-ms={}", options.min_ms),
        fmt::format("repetitions={}", options.repetitions),
    };
    CudaTimes times;
    read(program_, output_of_program(program_, arguments, codes), [&times](const nlohmann::json& json) {
        times.ms = json.at("ms").get<std::vector<double>>();
        times.copy_ms = json.at("copy_ms");
        times.verified = json.at("verified");
        times.device = json.at("device");
    });
    return times;
}

}  // namespace glsort::demo
