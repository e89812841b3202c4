#include "check_contexts.h"

#include <limits>
#include <stdexcept>
#include <string_view>

#include "check_objects.h"

namespace glsort::check {
namespace {

bool has_extension(const GladGLContext& gl, std::string_view name) {
    GLint count = 0;
    gl.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i)
        if (reinterpret_cast<const char*>(gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))) == name) return true;
    return false;
}

bool is_from(const GladGLContext& gl, std::string_view vendor) {
    const auto* text = reinterpret_cast<const char*>(gl.GetString(GL_VENDOR));
    return text != nullptr && std::string_view(text).find(vendor) != std::string_view::npos;
}

}  // namespace

void limit_to_least(TestContext& context) {
    context.limit_to_minimum();
    context.limit(GL_MAX_DRAW_BUFFERS, std::numeric_limits<GLint>::max());
}

Contexts::Contexts(const std::vector<Tier>& tiers, GetProcAddress below) : loader_(counting_loader(below)) {
    for (const Tier tier : tiers) {
        if (contexts_.contains(tier)) continue;
        try {
            contexts_[tier] = std::make_unique<TestContext>(tier, std::vector<std::string>{}, true);
        } catch (const std::runtime_error& error) {
            contexts_.erase(tier);
            missing_.push_back({tier, error.what()});
            continue;
        }
        TestContext& context = use(tier);
        const ContextReport report = describe_context(loader_);
        Offer offer{.tier = tier, .backends = {}, .automatic = report.automatic, .limits = report.limits, .least = {},
                    .persistent = context.gl().BufferStorage != nullptr ||
                                  has_extension(context.gl(), "GL_EXT_buffer_storage"),
                    .loses_updates = is_from(context.gl(), "NVIDIA")};
        for (const ContextReport::Offer& backend : report.offers)
            if (backend.available && backend.backend != Backend::cpu) offer.backends.push_back(backend.backend);
        limit_to_least(context);
        offer.least = describe_context(loader_).limits;
        context.unlimit();
        context.clear();
        reports_.emplace(tier, report);
        offers_.push_back(offer);
    }
}

const Offer& Contexts::offer(Tier tier) const {
    for (const Offer& offer : offers_)
        if (offer.tier == tier) return offer;
    throw std::logic_error("there is no context " + std::string(trial::tier_name(tier)));
}

TestContext& Contexts::use(Tier tier) {
    TestContext& context = *contexts_.at(tier);
    context.make_current();
    count_objects_of(&context);
    return context;
}

}  // namespace glsort::check
