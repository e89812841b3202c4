#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <glsort/error.h>
#include <glsort/gl/program.h>
#include <glsort/gl/text.h>
#include <utility>

namespace glsort::gl {
namespace {

/// Lines between the first line of a part and that of the next.
constexpr std::size_t lines_of_a_part = 10000;

/// Where the message begins, behind a column and a colon.
std::size_t skip_separators(const std::string& line, std::size_t position) {
    if (position < line.size() && line[position] == '(') {
        const std::size_t end = line.find(')', position);
        if (end != std::string::npos) position = end + 1;
    }
    return std::min(line.find_first_not_of("): ", position), line.size());
}

/// Reads a number at `position` and steps past it; -1 where there is none.
int read_number(const std::string& text, std::size_t& position) {
    if (position >= text.size() || std::isdigit(static_cast<unsigned char>(text[position])) == 0)
        return -1;
    int value = 0;
    while (position < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[position])) != 0 && value < 100000000)
        value = value * 10 + (text[position++] - '0');
    return value;
}

}  // namespace

std::string ShaderSource::text() const {
    std::string text = version + "\n";
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += fmt::format("#line {} {}\n{}\n", i * lines_of_a_part + 1, i, parts[i].text);
    return text;
}

std::string ShaderSource::explain(const std::string& log) const {
    std::string explained;
    for (std::string_view lines = log; !lines.empty();) {
        std::string line(take_piece(lines, '\n'));
        // Mesa writes `PART:LINE(COLUMN): `, NVIDIA `PART(LINE) : `, others `ERROR: PART:LINE: `.
        std::size_t position = 0;
        for (const char* prefix : {"ERROR: ", "WARNING: "})
            if (line.starts_with(prefix)) position = std::string(prefix).size();
        const int part = read_number(line, position);
        if (part >= 0 && position < line.size() &&
            (line[position] == ':' || line[position] == '(')) {
            ++position;
            const int number = read_number(line, position);
            // The line alone tells the part: Mesa forgets the other number in most of its messages.
            const std::size_t place =
                static_cast<std::size_t>(std::max(number, 1) - 1) / lines_of_a_part;
            if (number > 0 && place < parts.size())
                line = fmt::format("{}:{}: {}", parts[place].name,
                                   static_cast<std::size_t>(number) - place * lines_of_a_part,
                                   line.substr(skip_separators(line, position)));
        }
        explained += "\n  " + line;
    }
    return explained;
}

Program::Program(std::shared_ptr<const Api> api)
    : api_(std::move(api)), name_(api_->CreateProgram()) {}

Program::~Program() {
    if (name_ != 0 && api_->may_delete()) api_->DeleteProgram(name_);
}

Program::Program(Program&& other) noexcept
    : api_(std::move(other.api_)), name_(std::exchange(other.name_, 0)) {}

Program& Program::operator=(Program&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(name_, other.name_);
    return *this;
}

Program Program::graphics(std::shared_ptr<const Api> api, const ShaderSource& vertex,
                          const ShaderSource& fragment, const std::vector<std::string>& varyings) {
    Program program(std::move(api));
    program.attach(GL_VERTEX_SHADER, vertex);
    program.attach(GL_FRAGMENT_SHADER, fragment);
    if (!varyings.empty()) {
        std::vector<const char*> names;
        for (const std::string& varying : varyings) names.push_back(varying.c_str());
        program.api_->TransformFeedbackVaryings(program.name_, static_cast<GLsizei>(names.size()),
                                                names.data(), GL_SEPARATE_ATTRIBS);
    }
    program.link(fragment.parts.empty() ? vertex.parts.back().name : fragment.parts.back().name);
    return program;
}

Program Program::compute(std::shared_ptr<const Api> api, const ShaderSource& source) {
    Program program(std::move(api));
    program.attach(GL_COMPUTE_SHADER, source);
    program.link(source.parts.back().name);
    return program;
}

void Program::attach(GLenum stage, const ShaderSource& source) {
    const GLuint shader = api_->CreateShader(stage);
    const std::string text = source.text();
    const char* pointer = text.c_str();
    api_->ShaderSource(shader, 1, &pointer, nullptr);
    api_->CompileShader(shader);
    GLint compiled = GL_FALSE;
    api_->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    std::string log;
    if (compiled == GL_FALSE) {
        GLint length = 0;
        api_->GetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
        log.resize(static_cast<std::size_t>(length));
        api_->GetShaderInfoLog(shader, length, &length, log.data());
        log.resize(static_cast<std::size_t>(length));
    } else {
        api_->AttachShader(name_, shader);
    }
    // The program keeps an attached shader alive.
    api_->DeleteShader(shader);
    if (compiled == GL_FALSE)
        throw Error(fmt::format("glsort: a shader does not compile ({}):{}", source.version,
                                source.explain(log)));
}

void Program::link(const std::string& what) {
    api_->LinkProgram(name_);
    GLint linked = GL_FALSE;
    api_->GetProgramiv(name_, GL_LINK_STATUS, &linked);
    if (linked != GL_FALSE) return;
    GLint length = 0;
    api_->GetProgramiv(name_, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    api_->GetProgramInfoLog(name_, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    throw Error(fmt::format("glsort: the program of {} does not link: {}", what, log));
}

}  // namespace glsort::gl
