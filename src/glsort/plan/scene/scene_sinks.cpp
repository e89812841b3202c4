#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/glsl_text.h>
#include <glsort/error.h>
#include <glsort/plan/enumerator.h>
#include <glsort/plan/moves.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/sink_kernels.h>
#include <glsort/plan/scene/staging.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace glsort::scene {
namespace {

SortedForm sorted_form(const SceneSpec& spec, const Limits& limits) {
    SortedForm form{.key = key_form(spec), .in_texture = spec.backend == Backend::fragment};
    if (!form.in_texture || form.key.packed()) return form;
    form.has_keys = stores_keys(source_of_sort(spec, limits));
    return form;
}

class SinkPlanner {
  public:
    SinkPlanner(const SceneSpec& spec, const Limits& limits)
        : spec_(spec), limits_(limits), form_(sorted_form(spec, limits)), items_(items_of(spec)) {
        plan_.program = empty_program(spec, spec.backend, "sinks");
    }

    SinkPlan plan() {
        const bool sort_writes_order = !form_.in_texture && !form_.key.packed();
        const bool writes_order = spec_.order && !sort_writes_order;
        const bool writes_texture = spec_.texture && !sort_writes_texture();
        if (!writes_order && !spec_.triangles && !writes_texture && spec_.results.empty()) return std::move(plan_);
        plan_.sorted = declare("sorted", StreamRole::input, form_.in_texture ? Medium::texture : Medium::buffer,
                               form_.words(), items_);
        // The words per record and the records must be those of the status in the key program.
        plan_.status = declare("status", StreamRole::input, Medium::buffer, form_.in_texture ? status_words : 1,
                               form_.in_texture ? 1 : status_words);
        if (writes_order) add_order();
        if (!in_browser && spec_.triangles) add_triangles();
        for (const SceneResult& result : spec_.results)
            add_result(result);
        if (writes_texture) add_texture();
        return std::move(plan_);
    }

  private:
    bool sort_writes_texture() const { return form_.in_texture && !sort_spec(spec_, limits_).own_output; }

    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words, std::uint32_t records,
                     std::uint32_t elements_per_record = 1) {
        plan_.program.streams.push_back({.name = std::move(name),
                                         .role = role,
                                         .medium = medium,
                                         .words = words,
                                         .elements_per_record = elements_per_record,
                                         .records = records,
                                         .layout = stream_layout(Layout::row_wise, records)});
        return plan_.program.streams.size() - 1;
    }

    Substream all_of(StreamId id) const { return Substream::first(plan_.program.streams[id].records); }
    StreamUse use_of(StreamId id) const { return {id, all_of(id)}; }

    /// Adds an op that writes all records of the target, and returns its number.
    std::size_t add(KernelPtr kernel, const std::vector<StreamId>& more_reads, StreamId target) {
        const StreamId written = stage_for_writing(plan_.program, target, limits_);
        if (!status_) status_ = stage_for_reading(plan_.program, plan_.status, limits_);
        Op op;
        op.kernel = std::move(kernel);
        op.domain = all_of(target);
        op.reads = {use_of(plan_.sorted), use_of(*status_)};
        for (const StreamId id : more_reads)
            op.reads.push_back(use_of(id));
        op.writes = {{written, op.domain}};
        op.parameters.resize(op.kernel->parameters.size());
        plan_.program.ops.push_back(std::move(op));
        const std::size_t number = plan_.program.ops.size() - 1;
        unstage(plan_.program, written, target);
        return number;
    }

    void add_order() {
        plan_.order = declare("order", StreamRole::output, Medium::buffer, 1, items_);
        const bool is_order = form_.in_texture && !form_.has_keys && !form_.key.packed();
        if (is_order && limits_.pixel_pack)
            return add_move(plan_.program, plan_.sorted, *plan_.order, download_kernel(1));
        add(order_kernel(form_), {}, *plan_.order);
    }

    void add_triangles() {
        const std::uint32_t per_word = spec_.triangles->type == SceneInput::Type::u16 ? 2 : 1;
        plan_.indices =
            declare("indices", StreamRole::input, Medium::buffer, 1, records_for(spec_.triangles->indices, per_word));
        plan_.triangles = declare("triangles", StreamRole::output, Medium::buffer, spec_.triangles->corners, items_);
        const StreamId indices = stage_for_reading(plan_.program, *plan_.indices, limits_);
        plan_.triangles_op = add(triangles_kernel(form_, spec_), {indices}, *plan_.triangles);
    }

    void add_texture() {
        const KernelPtr kernel = texture_kernel(form_, spec_);
        std::vector<StreamId> reads;
        if (kernel->inputs.size() > 2) {
            plan_.keys = declare("keys", StreamRole::input, Medium::buffer, form_.key.words(), items_);
            reads.push_back(*plan_.keys);
        }
        plan_.texture =
            declare("texture", StreamRole::output, Medium::texture, kernel->outputs.front().words, texels(spec_));
        plan_.program.streams.back().any_width = true;
        add(kernel, reads, *plan_.texture);
    }

    void add_result(const SceneResult& result) {
        const std::size_t number = plan_.results.size();
        SinkPlan::Result planned;
        std::vector<StreamId> reads;
        for (const SceneInput& input : result.inputs) {
            plan_.program.streams.push_back(input_stream(fmt::format("result_{}.{}", number, input.name), input, 0));
            planned.inputs.push_back(plan_.program.streams.size() - 1);
            reads.push_back(stage_for_reading(plan_.program, planned.inputs.back(), limits_));
        }
        planned.target =
            declare(fmt::format("result_{}", number), StreamRole::output, Medium::buffer, 4, items_, result.vectors);
        planned.op = add(result_kernel(form_, spec_, result), reads, planned.target);
        plan_.results.push_back(std::move(planned));
    }

    const SceneSpec& spec_;
    const Limits& limits_;
    SortedForm form_;
    std::uint32_t items_;
    std::optional<StreamId> status_;  ///< What ops read.
    SinkPlan plan_;
};

void check_triangles(const SceneSpec& spec, std::uint64_t items) {
    if constexpr (in_browser) throw Error("triangles: no shader of WebGL2 can read an index buffer");
    const SceneTriangles& triangles = *spec.triangles;
    if (triangles.type != SceneInput::Type::u32 && triangles.type != SceneInput::Type::u16)
        throw Error("triangles.type must be u32 or u16");
    if (triangles.indices < 1 || triangles.indices > 1u << 31)
        throw Error(fmt::format("triangles.indices {}; it must be 1 to 2^31", triangles.indices));
    if (triangles.corners < 1 || triangles.corners > 3)
        throw Error(fmt::format("triangles.corners {}; it must be 1 to 3", triangles.corners));
    const std::uint64_t most = 0xffffffffu / triangles.corners;
    if (items > most)
        throw Error(fmt::format("triangles: the capacities add up to {} items; the limit is {}", items, most));
}

void check_result(const SceneResult& result) {
    check_callers_glsl("sort_result", result.sort_result);
    check_inputs(result.inputs, 0);
    for (std::size_t i = 0; i < result.inputs.size(); ++i)
        if (result.inputs[i].elements == 0)
            throw Error(fmt::format("input {}: elements 0; tables of a result must tell their elements", i));
    check_values(result.values);
    if (result.vectors < 1 || result.vectors > 4)
        throw Error(fmt::format("vectors {}; it must be 1 to 4", result.vectors));
}

}  // namespace

bool reads_keys(const SceneSpec& spec) {
    return spec.texture && spec.texture->form == SceneTexture::Form::keys_and_items;
}

std::uint32_t texel_words(const SceneSpec& spec) {
    if (spec.texture->form == SceneTexture::Form::items) return 1;
    return spec.texture->form == SceneTexture::Form::keys_and_items && key_bytes(spec.key) == 4 ? 2 : 4;
}

std::uint32_t texels(const SceneSpec& spec) {
    const std::uint32_t items = items_of(spec);
    return spec.texture->form == SceneTexture::Form::four_items ? records_for(items, 4) : items;
}

void check_sinks(const SceneSpec& spec, std::uint64_t items) {
    if (spec.triangles) check_triangles(spec, items);
    if (spec.texture)
        check_enumerator("texture.form", spec.texture->form, SceneTexture::Form::four_items, "four_items");
    if (spec.results.size() > max_scene_results)
        throw Error(fmt::format("{} results; the limit is {}", spec.results.size(), max_scene_results));
    for (std::size_t i = 0; i < spec.results.size(); ++i) {
        try {
            check_result(spec.results[i]);
        } catch (const Error& error) {
            throw Error(fmt::format("result {} ({}): {}", i, spec.results[i].name, error.what()));
        }
    }
}

SinkPlan plan_sinks(const SceneSpec& spec, const Limits& limits) {
    return SinkPlanner(spec, limits).plan();
}

}  // namespace glsort::scene
