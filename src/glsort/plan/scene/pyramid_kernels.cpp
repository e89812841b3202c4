#include <fmt/format.h>

#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace glsort::scene {
namespace {

constexpr std::uint32_t no_item = 0xffffffffu;

// Inputs of scene_gather.
enum : std::size_t { keyed_port, odd_port, even_port };

Port gathered(const char* name, std::uint32_t words, std::uint32_t elements) {
    return {.name = name, .access = Access::gather, .words = words, .elements = elements, .role = PortRole::other};
}
Port written(const char* name, std::uint32_t words) {
    return {.name = name, .words = words, .role = PortRole::other};
}

std::pair<std::string, std::string> words_define(std::uint32_t key_words) {
    return {"GLSORT_KEY_WORDS", fmt::format("{}", key_words)};
}

KernelPtr shared(Kernel&& kernel) {
    return std::make_shared<Kernel>(std::move(kernel));
}

/// The specification of shaders/scene/scene_gather.glsl.
void gather(CpuInvocation& k, const KeyForm& form) {
    const std::uint32_t key_words = form.words();
    std::uint32_t level = k.parameter(0);
    const auto count_at = [&](std::uint32_t number) {
        if (level == 0) return k.read(keyed_port, number)[key_words];
        return k.read(level % 2 != 0 ? odd_port : even_port, k.parameter(level) + number)[0];
    };
    Element result{};
    result[key_words] = no_item;
    std::uint32_t left = k.instance;
    std::uint32_t number = 0;
    if (left < count_at(0)) {
        while (level > 0) {
            --level;
            number *= fan;
            for (std::uint32_t count = count_at(number); left >= count; count = count_at(++number))
                left -= count;
        }
        result = k.read(keyed_port, number);
        result[key_words] = number;
    }
    if (form.packed()) result = {result[1] == no_item ? no_item : result[0] << form.item_bits | result[1]};
    k.write(0, 0, result);
}

}  // namespace

std::vector<Level> levels_above(std::uint32_t items) {
    std::vector<Level> levels;
    std::array<std::uint32_t, 2> used{};
    for (std::uint32_t size = items; levels.empty() || size > 1;) {
        size = records_for(size, fan);
        std::uint32_t& begin = used[levels.size() % 2];
        levels.push_back({begin, size});
        begin += size;
    }
    return levels;
}

KernelPtr take_count_kernel() {
    Kernel kernel;
    kernel.name = "scene_take_count";
    kernel.inputs = {gathered("given", 1, 1)};
    kernel.outputs = {written("taken", 2)};
    kernel.parameters = {{"capacity"}};
    kernel.cpu = [](CpuInvocation& k) {
        const std::uint32_t given = k.read(0, 0)[0];
        const std::uint32_t capacity = k.parameter(0);
        k.write(0, 0, {std::min(given, capacity), given > capacity ? 1u : 0u});
    };
    return shared(std::move(kernel));
}

KernelPtr key_record_kernel(const SceneSource& source, const KeyForm& form) {
    const std::uint32_t words = form.words();
    Kernel kernel;
    kernel.name = "scene_key_record";
    kernel.parameters = {{"count"}, {"base"}, {"place"}};
    const StoredKey stored_key = declare_sort_key(kernel, source, form);
    if (source.gpu_count) kernel.inputs.push_back(gathered("counts", 2, 1));
    kernel.outputs = {written("keyed", words + 1)};
    if (source.gpu_count) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    kernel.defines.push_back(words_define(words));
    kernel.body = "scene_key_record";
    kernel.cpu = [source, stored_key, words](CpuInvocation& k) {
        const std::uint32_t element = k.instance - k.parameter(1);
        const std::uint32_t count = source.gpu_count ? k.read(source.inputs.size(), k.parameter(2))[0] : k.parameter(0);
        const std::optional<Element> found = element < count ? stored_key(k, element) : std::nullopt;
        Element record = found.value_or(Element{});
        record[words] = found ? 1 : 0;
        k.write(0, 0, record);
    };
    return shared(std::move(kernel));
}

KernelPtr sum_kernel(bool items, std::uint32_t key_words) {
    const std::uint32_t word = items ? key_words : 0;
    Kernel kernel;
    kernel.name = "scene_sum";
    kernel.inputs = {gathered("below", word + 1, fan)};
    kernel.outputs = {written("sum", 1)};
    kernel.parameters = {{"size"}, {"below"}, {"begin"}};
    kernel.defines = {{"GLSORT_FAN", literal(fan)},
                      {"GLSORT_COUNT_OF(number)", fmt::format("number{}", word == 0   ? ""
                                                                          : word == 1 ? ".y"
                                                                                      : ".z")}};
    kernel.cpu = [word](CpuInvocation& k) {
        const std::uint32_t first = (k.instance - k.parameter(2)) * fan;
        std::uint32_t sum = 0;
        for (std::uint32_t i = first; i < std::min(first + fan, k.parameter(0)); ++i)
            sum += k.read(0, k.parameter(1) + i)[word];
        k.write(0, 0, {sum});
    };
    return shared(std::move(kernel));
}

KernelPtr gather_kernel(const KeyForm& form, std::size_t levels) {
    const std::uint32_t key_words = form.words();
    Kernel kernel;
    kernel.name = "scene_gather";
    const auto fetches = static_cast<std::uint32_t>(levels) * fan;
    kernel.inputs = {gathered("keyed", key_words + 1, fan + 1), gathered("odd", 1, fetches / 2 + 1)};
    if (levels > 1) kernel.inputs.push_back(gathered("even", 1, fetches / 2 + 1));
    kernel.outputs = {written("target", form.packed() ? 1 : key_words + 1)};
    kernel.parameters = {{"levels"}};
    for (std::size_t level = 1; level <= levels; ++level)
        kernel.parameters.push_back({fmt::format("begin_{}", level)});
    kernel.defines = {{"GLSORT_FAN", literal(fan)}, words_define(key_words)};
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    if (levels > 1) kernel.defines.emplace_back("GLSORT_EVEN_LEVELS", "1");
    kernel.cpu = [form](CpuInvocation& k) { gather(k, form); };
    return shared(std::move(kernel));
}

KernelPtr status_kernel(bool counts) {
    Kernel kernel;
    kernel.name = "scene_status";
    kernel.inputs = {gathered("sums", 1, 1)};
    if (counts) kernel.inputs.push_back(gathered("counts", 2, any_elements));
    kernel.outputs = {written("scene_status", 4)};
    kernel.parameters = {{"last"}, {"counts"}};
    if (counts) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    kernel.cpu = [](CpuInvocation& k) {
        std::uint32_t clamped = 0;
        for (std::uint32_t i = 0; i < k.parameter(1); ++i)
            clamped |= k.read(1, i)[1];
        k.write(0, 0, {k.read(0, k.parameter(0))[0], clamped, 0, 0});
    };
    return shared(std::move(kernel));
}

}  // namespace glsort::scene
