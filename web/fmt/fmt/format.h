#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// The part of the library {fmt} that glsort calls, in a small form. {fmt} itself takes a sixth of the module.
///
/// A field is `{}`, `{NUMBER}` or `{:SPEC}`. A SPEC has `<` or `>`, `#`, `0`, a width or `{}`, and `x`, in this order.
/// Text that no field describes is copied. Nothing checks formats: the desktop build, which has {fmt}, does.

namespace fmt {

/// An argument of any type, without the type. Has no destructor: calls stay short.
class Argument {
  public:
    enum class Kind { text, character, number, negative, real };

    template <class Value>
    Argument(const Value& value) {
        if constexpr (std::is_same_v<Value, bool>) {
            text_ = value ? "true" : "false";
        } else if constexpr (std::is_same_v<Value, char>) {
            kind_ = Kind::character;
            number_ = static_cast<unsigned char>(value);
        } else if constexpr (std::is_floating_point_v<Value>) {
            kind_ = Kind::real;
            real_ = static_cast<double>(value);
        } else if constexpr (std::is_integral_v<Value>) {
            kind_ = value < 0 ? Kind::negative : Kind::number;
            number_ = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
            text_ = std::string_view(value);
        } else {
            kind_ = Kind::number;
            number_ = static_cast<std::uint32_t>(value);
        }
    }

    Kind kind() const { return kind_; }
    std::string_view text() const { return text_; }
    /// Without the sign.
    std::uint64_t number() const { return number_; }
    double real() const { return real_; }

  private:
    Kind kind_ = Kind::text;
    union {
        std::uint64_t number_;
        double real_;
        std::string_view text_ = {};
    };
};

/// Replaces the fields of `text`.
std::string format_arguments(std::string_view text, const Argument* arguments);

/// Text that is known only when the program runs.
inline std::string_view runtime(std::string_view text) {
    return text;
}

template <class... Values>
std::string format(std::string_view text, const Values&... values) {
    const Argument arguments[] = {Argument(values)..., Argument(0)};
    return format_arguments(text, arguments);
}

template <class Iterator>
std::string join(Iterator first, Iterator last, std::string_view separator) {
    std::string text;
    for (Iterator it = first; it != last; ++it) {
        if (it != first) text += separator;
        text += format("{}", *it);
    }
    return text;
}
template <class Range>
std::string join(const Range& range, std::string_view separator) {
    return join(range.begin(), range.end(), separator);
}

}  // namespace fmt
