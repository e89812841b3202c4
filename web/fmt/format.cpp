#include <fmt/format.h>

#include <algorithm>

namespace fmt {
namespace {

struct Field {
    std::size_t argument = 0;
    char align = 0;
    bool prefix = false;
    bool zeros = false;
    bool hexadecimal = false;
    std::size_t width = 0;
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Takes the digits at the begin of the text.
std::size_t take_number(std::string_view& text) {
    std::size_t number = 0;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1))
        number = 10 * number + static_cast<std::size_t>(text.front() - '0');
    return number;
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

std::string digits(std::uint64_t number, unsigned base) {
    std::string text;
    do {
        text += "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    std::reverse(text.begin(), text.end());
    return text;
}

/// A number with up to six decimals. The library prints few.
std::string decimal(double value) {
    if (value != value) return "nan";
    const std::string sign = value < 0 ? "-" : "";
    const double size = value < 0 ? -value : value;
    constexpr double most = 1e12;
    if (size >= most) return sign + "above 1e12";
    constexpr std::uint64_t parts = 1000000;
    const auto all = static_cast<std::uint64_t>(size * parts + 0.5);
    std::string decimals = digits(parts + all % parts, 10).substr(1);
    decimals.resize(decimals.find_last_not_of('0') + 1);
    return sign + digits(all / parts, 10) + (decimals.empty() ? "" : "." + decimals);
}

void append(std::string& out, const Field& field, const Argument& argument) {
    std::string_view sign;
    std::string text;
    const bool number = argument.kind() == Argument::Kind::number || argument.kind() == Argument::Kind::negative;
    if (number) {
        if (argument.kind() == Argument::Kind::negative) sign = "-";
        if (field.prefix) sign = "0x";
        text = digits(argument.number(), field.hexadecimal ? 16 : 10);
    } else if (argument.kind() == Argument::Kind::character) {
        text = static_cast<char>(argument.number());
    } else if (argument.kind() == Argument::Kind::real) {
        text = decimal(argument.real());
    } else {
        text = argument.text();
    }
    const std::size_t length = sign.size() + text.size();
    const std::size_t missing = field.width > length ? field.width - length : 0;
    const bool right = field.align == 0 ? number : field.align == '>';
    if (right && !field.zeros) out.append(missing, ' ');
    out += sign;
    if (right && field.zeros) out.append(missing, '0');
    out += text;
    if (!right) out.append(missing, ' ');
}

}  // namespace

std::string format_arguments(std::string_view text, const Argument* arguments) {
    std::string out;
    std::size_t next = 0;
    const auto argument = [&](std::size_t number) -> const Argument& { return arguments[number]; };
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        // A brace that is written twice stands for itself.
        if ((c != '{' && c != '}') || take(text, c)) {
            out += c;
            continue;
        }
        Field field;
        field.argument = !text.empty() && is_digit(text.front()) ? take_number(text) : next++;
        if (take(text, ':')) {
            for (const char align : {'<', '>'})
                if (take(text, align)) field.align = align;
            field.prefix = take(text, '#');
            field.zeros = take(text, '0');
            if (take(text, '{')) {
                field.width = argument(next++).number();
                take(text, '}');
            } else {
                field.width = take_number(text);
            }
            field.hexadecimal = take(text, 'x');
        }
        take(text, '}');
        append(out, field, argument(field.argument));
    }
    return out;
}

}  // namespace fmt
