#include <glsort/error.h>
#include <glsort/spec.h>

#include <catch2/catch.hpp>
#include <string>

using namespace glsort;
using Catch::Contains;

TEST_CASE("names of key types, orders, backends, layouts and media are read back", "[plan]") {
    for (const KeyType type : {KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64})
        CHECK(key_type_from_string(to_string(type)) == type);
    for (const Direction order : {Direction::ascending, Direction::descending})
        CHECK(direction_from_string(to_string(order)) == order);
    for (const Backend backend : {Backend::automatic, Backend::fragment, Backend::compute, Backend::cpu})
        CHECK(backend_from_string(to_string(backend)) == backend);
    for (const Layout layout : {Layout::row_wise, Layout::z_order})
        CHECK(layout_from_string(to_string(layout)) == layout);
    for (const Medium medium : {Medium::buffer, Medium::texture})
        CHECK(medium_from_string(to_string(medium)) == medium);

    // The names of the command line.
    CHECK(to_string(KeyType::f64) == "f64");
    CHECK(to_string(Direction::descending) == "descending");
    CHECK(to_string(Backend::fragment) == "fragment");
    CHECK(to_string(Layout::z_order) == "z-order");
    CHECK(to_string(Layout::row_wise) == "row-wise");
    CHECK(to_string(Medium::texture) == "texture");
}

TEST_CASE("payloads are read back", "[plan]") {
    for (const Payload payload :
         {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12), Payload::bytes(0xffffffffu)})
        CHECK(payload_from_string(to_string(payload)) == payload);
    CHECK(to_string(Payload::none()) == "none");
    CHECK(to_string(Payload::index()) == "index");
    CHECK(to_string(Payload::bytes(8)) == "8");
    CHECK(Payload::none().size == 0);
    CHECK(Payload::index().size == 4);
    CHECK(Payload() == Payload::index());
    CHECK_FALSE(Payload::index() == Payload::bytes(4));
}

TEST_CASE("unknown names are refused with those there are", "[plan]") {
    CHECK_THROWS_AS(key_type_from_string("u16"), Error);
    CHECK_THROWS_WITH(key_type_from_string("u16"), Contains("'u16'") && Contains("u32, i32, f32, u64, i64, f64"));
    CHECK_THROWS_WITH(direction_from_string("Ascending"), Contains("'Ascending'") && Contains("ascending, descending"));
    CHECK_THROWS_WITH(backend_from_string(""), Contains("''") && Contains("fragment, compute, cpu"));
    CHECK_THROWS_WITH(layout_from_string("z_order"), Contains("row-wise, z-order"));
    CHECK_THROWS_WITH(medium_from_string("image"), Contains("buffer, texture"));
    for (const char* text : {"", "0", "-4", "4x", " 4", "+4", "4294967296", "nothing", "Index"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(payload_from_string(text), Error);
        CHECK_THROWS_WITH(payload_from_string(text), Contains("none, index, or a size in bytes"));
    }
}

TEST_CASE("keys have 4 or 8 bytes", "[plan]") {
    for (const KeyType type : {KeyType::u32, KeyType::i32, KeyType::f32})
        CHECK(key_bytes(type) == 4);
    for (const KeyType type : {KeyType::u64, KeyType::i64, KeyType::f64})
        CHECK(key_bytes(type) == 8);
}
