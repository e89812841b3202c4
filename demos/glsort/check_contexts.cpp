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

}  // namespace

void limit_to_least(TestContext& context) {
    context.limit_to_minimum();
    context.limit(GL_MAX_DRAW_BUFFERS, std::numeric_limits<GLint>::max());
}

std::string name_of(ContextId context) {
    return std::string(trial::tier_name(context.tier)) + (context.extensions ? " with extensions" : "");
}

Contexts::Contexts(const std::vector<Tier>& tiers, demo::GetProcAddress below) : loader_(counting_loader(below)) {
    for (const Tier tier : tiers) {
        if (contexts_.contains(tier)) continue;
        try {
            contexts_.emplace(tier, std::make_unique<TestContext>(tier, std::vector<std::string>{}, true));
            if (!trial::shows_everything(tier))
                contexts_.emplace(ContextId{tier, true},
                                  std::make_unique<TestContext>(tier, std::vector<std::string>{"*"}, true));
        } catch (const std::runtime_error& error) {
            contexts_.erase(tier);
            missing_.push_back({tier, error.what()});
            continue;
        }
        add_offer(tier);
        if (!trial::shows_everything(tier)) add_offer({tier, true});
    }
    for (const auto& [id, context] : contexts_)
        sharing_.emplace(id, std::make_unique<TestContext>(*context, true));
}

void Contexts::add_offer(ContextId id) {
    TestContext& context = use(id);
    const ContextReport report = describe_context(loader_);
    Offer offer{
        .tier = id.tier,
        .extensions = id.extensions,
        .backends = {},
        .automatic = report.automatic,
        .limits = report.limits,
        .least = {},
        .persistent = context.gl().BufferStorage != nullptr || has_extension(context.gl(), "GL_EXT_buffer_storage"),
        .strict_mappings = report.renderer.find("ANGLE") != std::string::npos,
        .strict_queries = report.renderer.find("zink") != std::string::npos};
    for (const ContextReport::Offer& backend : report.offers)
        if (backend.available && backend.backend != Backend::cpu) offer.backends.push_back(backend.backend);
    limit_to_least(context);
    offer.least = describe_context(loader_).limits;
    context.unlimit();
    context.clear();
    reports_.emplace(id, report);
    offers_.push_back(offer);
}

const Offer& Contexts::offer(ContextId context) const {
    for (const Offer& offer : offers_)
        if (offer.context() == context) return offer;
    throw std::logic_error("there is no context " + name_of(context));
}

TestContext& Contexts::use(ContextId id) {
    TestContext& context = *contexts_.at(id);
    context.make_current();
    count_objects_of(&context);
    return context;
}

TestContext& Contexts::use_sharing(ContextId id) {
    TestContext& context = *sharing_.at(id);
    context.make_current();
    return context;
}

TestContext& Contexts::use_other(ContextId id) {
    for (const auto& [other, context] : contexts_)
        if (other != id) return use(other);
    return use_sharing(id);
}

}  // namespace glsort::check
