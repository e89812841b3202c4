#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/gl/program.h>
#include <glsort/gl/text.h>
#include <algorithm>
#include <cctype>
#include <utility>

namespace glsort::gl {
namespace {

/// The distance between the first lines of successive parts.
constexpr std::size_t lines_of_a_part = 10000;

/// The number of a part's first line, for each part. Long parts take several distances.
std::vector<std::size_t> first_lines(const std::vector<ShaderSource::Part>& parts) {
    std::vector<std::size_t> lines;
    std::size_t next = 1;
    for (const ShaderSource::Part& part : parts) {
        lines.push_back(next);
        const auto ends =
            std::count_if(part.text.begin(), part.text.end(), [](char c) { return c == '\n' || c == '\r'; });
        // One more line, for the end of the text.
        next += (static_cast<std::size_t>(ends) + 1 + lines_of_a_part) / lines_of_a_part * lines_of_a_part;
    }
    return lines;
}

/// The position of the message, after a column and a colon.
std::size_t skip_separators(const std::string& line, std::size_t position) {
    if (position < line.size() && line[position] == '(') {
        const std::size_t end = line.find(')', position);
        if (end != std::string::npos) position = end + 1;
    }
    return std::min(line.find_first_not_of("): ", position), line.size());
}

/// The log of a shader or of a program.
std::string info_log(GLuint name, PFNGLGETSHADERIVPROC get, PFNGLGETSHADERINFOLOGPROC read) {
    GLint length = 0;
    get(name, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    read(name, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

/// Reads the number at `position` and moves `position` past the number. -1 if there is no number.
int read_number(const std::string& text, std::size_t& position) {
    if (position >= text.size() || std::isdigit(static_cast<unsigned char>(text[position])) == 0) return -1;
    int value = 0;
    while (position < text.size() && std::isdigit(static_cast<unsigned char>(text[position])) != 0 && value < 100000000)
        value = value * 10 + (text[position++] - '0');
    return value;
}

}  // namespace

std::string ShaderSource::text() const {
    std::string text = version + "\n";
    const std::vector<std::size_t> first = first_lines(parts);
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += fmt::format("#line {} {}\n{}\n", first[i], i, parts[i].text);
    return text;
}

std::string ShaderSource::explain(const std::string& log) const {
    std::string explained;
    const std::vector<std::size_t> first = first_lines(parts);
    for (std::string_view lines = log; !lines.empty();) {
        std::string line(take_piece(lines, '\n'));
        // Mesa writes `PART:LINE(COLUMN): `, NVIDIA `PART(LINE) : `, others `ERROR: PART:LINE: `.
        std::size_t position = 0;
        for (const char* prefix : {"ERROR: ", "WARNING: "})
            if (line.starts_with(prefix)) position = std::string(prefix).size();
        const int part = read_number(line, position);
        if (part >= 0 && position < line.size() && (line[position] == ':' || line[position] == '(')) {
            ++position;
            const int number = read_number(line, position);
            // The line number alone identifies the part. Mesa omits the part in most messages.
            const auto line_number = static_cast<std::size_t>(std::max(number, 0));
            const auto after = std::upper_bound(first.begin(), first.end(), line_number);
            const auto place = static_cast<std::size_t>(after - first.begin()) - 1;
            // A line number far behind the last part belongs to no part.
            if (after != first.begin() && (after != first.end() || line_number - first[place] < lines_of_a_part))
                line = fmt::format("{}:{}: {}", parts[place].name, line_number - first[place] + 1,
                                   line.substr(skip_separators(line, position)));
        }
        explained += "\n  " + line;
    }
    return explained;
}

ProgramSource ProgramSource::graphics(ShaderSource vertex, ShaderSource fragment, Varyings varyings) {
    ProgramSource source;
    source.stages = {{GL_VERTEX_SHADER, std::move(vertex)}, {GL_FRAGMENT_SHADER, std::move(fragment)}};
    source.varyings = std::move(varyings);
    source.label = source.stages.back().source.parts.back().name;
    return source;
}

ProgramSource ProgramSource::compute(ShaderSource shader) {
    ProgramSource source;
    source.stages = {{GL_COMPUTE_SHADER, std::move(shader)}};
    source.label = source.stages.back().source.parts.back().name;
    return source;
}

std::string ProgramSource::text() const {
    std::string text;
    for (const Stage& stage : stages)
        text += stage.source.text();
    for (const std::string& varying : varyings.names)
        text += fmt::format("// captured: {}{}\n", varying, varyings.interleaved ? ", interleaved" : "");
    return text;
}

Program Program::make(const std::shared_ptr<const Api>& api, ProgramSource source) {
    return IssuedProgram(api, std::move(source)).finish();
}

IssuedProgram::IssuedProgram(std::shared_ptr<const Api> api, ProgramSource source)
    : api_(std::move(api)),
      program_(api_, api_->CreateProgram()),
      source_(std::move(source)),
      entry_(api_, ProgramEntry::is_kept(*api_) ? source_.text() : "") {
    set_label(*api_, GL_PROGRAM, program_.name(), source_.label);
    if (!entry_.load(program_.name())) compile();
}

void IssuedProgram::compile() {
    compiled_ = true;
    for (const ProgramSource::Stage& stage : source_.stages) {
        const Shader& shader = shaders_.emplace_back(api_, api_->CreateShader(stage.kind));
        const std::string text = stage.source.text();
        const char* pointer = text.c_str();
        api_->ShaderSource(shader.name(), 1, &pointer, nullptr);
        api_->CompileShader(shader.name());
        api_->AttachShader(program_.name(), shader.name());
        // The shader is deleted once the program is finished. WebGL forgets the name of a deleted shader.
    }
    if (const std::vector<std::string>& captured = source_.varyings.names; !captured.empty()) {
        std::vector<const char*> names;
        names.reserve(captured.size());
        for (const std::string& name : captured)
            names.push_back(name.c_str());
        api_->TransformFeedbackVaryings(program_.name(), static_cast<GLsizei>(names.size()), names.data(),
                                        source_.varyings.interleaved ? GL_INTERLEAVED_ATTRIBS : GL_SEPARATE_ATTRIBS);
    }
    entry_.prepare(program_.name());
    api_->LinkProgram(program_.name());
}

bool IssuedProgram::is_done() const {
    if (shaders_.empty() || (api_->KHR_parallel_shader_compile == 0 && api_->ARB_parallel_shader_compile == 0))
        return true;
    GLint done = GL_TRUE;
    api_->GetProgramiv(program_.name(), GL_COMPLETION_STATUS_KHR, &done);
    return done != GL_FALSE;
}

Program IssuedProgram::finish() {
    const Api& api = *api_;
    for (std::size_t i = 0; i < shaders_.size(); ++i) {
        const GLuint name = shaders_[i].name();
        GLint compiled = GL_FALSE;
        api.GetShaderiv(name, GL_COMPILE_STATUS, &compiled);
        if (compiled != GL_FALSE) continue;
        const std::string log = info_log(name, api.GetShaderiv, api.GetShaderInfoLog);
        const ShaderSource& source = source_.stages[i].source;
        throw Error(fmt::format("a shader does not compile ({}):{}", source.version, source.explain(log)));
    }
    GLint linked = GL_FALSE;
    api.GetProgramiv(program_.name(), GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE)
        throw Error(fmt::format("the program of {} does not link: {}", source_.label,
                                info_log(program_.name(), api.GetProgramiv, api.GetProgramInfoLog)));
    shaders_.clear();
    return std::move(program_);
}

void IssuedProgram::store(const Program& program) const {
    if (is_to_be_stored()) entry_.store(program.name());
}

}  // namespace glsort::gl
