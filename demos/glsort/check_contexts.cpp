#include "check_contexts.h"

#include <stdexcept>

#include "check_objects.h"

namespace glsort::check {

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
        Offer offer{.tier = tier, .backends = {}, .automatic = report.automatic, .limits = report.limits, .least = {}};
        for (const ContextReport::Offer& backend : report.offers)
            if (backend.available && backend.backend != Backend::cpu) offer.backends.push_back(backend.backend);
        context.limit_to_minimum();
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
