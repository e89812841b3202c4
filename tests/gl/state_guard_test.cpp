#include <glsort/gl/objects.h>
#include <glsort/gl/state_guard.h>

#include <catch2/catch.hpp>
#include <vector>

#include "exec/lockstep.h"
#include "support/gl_state_snapshot.h"

namespace glsort::test {
namespace {

GLuint bound_to_unit(const gl::Api& api, std::size_t unit) {
    api.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    GLint name = 0;
    api.GetIntegerv(GL_TEXTURE_BINDING_2D, &name);
    return static_cast<GLuint>(name);
}

TEST_CASE("a guard saves as many texture units as its scope uses, and no more than the table has", "[gl]") {
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        reset_state(context.gl());
        const auto api = api_of(context);
        const std::size_t most = gl::max_indices(&gl::StateScope::texture_units);
        REQUIRE(most > 1);
        std::vector<gl::Texture> textures;
        for (std::size_t i = 0; i <= most; ++i)
            textures.emplace_back(api);
        for (const std::size_t used : {std::size_t{1}, most - 1, most, most + 1}) {
            const auto bind_all = [&](std::size_t by) {
                for (std::size_t unit = 0; unit <= most; ++unit) {
                    api->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
                    api->BindTexture(GL_TEXTURE_2D, textures[(unit + by) % textures.size()].name());
                }
            };
            bind_all(0);
            {
                const gl::StateGuard guard(*api, {.textures = true, .texture_units = used});
                bind_all(1);
            }
            CAPTURE(tier_name(tier), used);
            for (std::size_t unit = 0; unit <= most; ++unit) {
                const bool saved = unit < std::min(used, most);
                CHECK(bound_to_unit(*api, unit) == textures[(unit + (saved ? 0 : 1)) % textures.size()].name());
            }
        }
        for (std::size_t unit = 0; unit <= most; ++unit) {
            api->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
            api->BindTexture(GL_TEXTURE_2D, 0);
        }
        api->ActiveTexture(GL_TEXTURE0);
        context.require_clean("units");
    }
}

}  // namespace
}  // namespace glsort::test
