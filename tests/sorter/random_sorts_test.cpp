#include "check_campaign.h"
#include "sorter/sorting.h"
#include "support/fewer_modes.h"
#include "support/random.h"

namespace glsort::test {
namespace {

TEST_CASE("random sorts in random states of their contexts are right", "[sorter]") {
    const Seed seed;
    check::Contexts contexts(all_tiers());
    const check::Choices choices = check::choices_of(contexts, {Backend::fragment, Backend::compute});
    REQUIRE_FALSE(choices.offers.empty());
    check::Campaign campaign(contexts, choices, "");
    std::string failures;
    // Under sanitizers, these sorts take the place of comparisons after every op (tests/CMakeLists.txt).
    campaign.run(
        {.seed = seed.value(), .rounds = fewer_modes ? 0u : 1u, .seconds = fewer_modes ? 60.0 : 0.0},
        [](const check::Round&) {}, [&failures](const std::string& paragraph) { failures += paragraph; });
    CHECK(failures == "");
    CHECK(campaign.totals().sorts > 0);
}

}  // namespace
}  // namespace glsort::test
