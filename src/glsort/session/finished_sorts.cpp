#include <glsort/gl/state_guard.h>
#include <glsort/session/finished_sorts.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace glsort {
namespace {

constexpr GLsizeiptr copied_bytes = 8;

/// Whether the context has timestamps. Timestamps of 0 bits, which OpenGL allows, tell no time.
bool has_timestamps(const gl::Api& api) {
    if (api.es && (api.EXT_disjoint_timer_query == 0 || api.QueryCounterEXT == nullptr ||
                   api.GetQueryObjectui64vEXT == nullptr || api.GetQueryivEXT == nullptr))
        return false;
    GLint bits = 0;
    (api.es ? api.GetQueryivEXT : api.GetQueryiv)(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

/// While this object lives, results of queries go to memory of the CPU, not to a buffer of the application's.
class NoQueryBuffer {
  public:
    explicit NoQueryBuffer(const gl::Api& api) : api_(api) {
        if (!api_.at_least(44, 0) && api_.ARB_query_buffer_object == 0) return;
        api_.GetIntegerv(GL_QUERY_BUFFER_BINDING, &before_);
        if (before_ != 0) api_.BindBuffer(GL_QUERY_BUFFER, 0);
    }
    ~NoQueryBuffer() {
        if (before_ != 0) api_.BindBuffer(GL_QUERY_BUFFER, static_cast<GLuint>(before_));
    }
    NoQueryBuffer(const NoQueryBuffer&) = delete;
    NoQueryBuffer& operator=(const NoQueryBuffer&) = delete;

  private:
    const gl::Api& api_;
    GLint before_ = 0;
};

}  // namespace

FinishedSorts::FinishedSorts(std::shared_ptr<const gl::Api> api)
    : api_(std::move(api)), has_times_(has_timestamps(*api_)) {
    for (Slot& slot : slots_) {
        if (has_times_) {
            api_->GenQueries(2, slot.times);
            // A query exists once it is used.
            for (const std::size_t which : {0, 1})
                take_time(slot, which);
        }
        slot.status = gl::Buffer(api_);
        api_->BindBuffer(GL_COPY_WRITE_BUFFER, slot.status.name());
        api_->BufferData(GL_COPY_WRITE_BUFFER, copied_bytes, nullptr, GL_STREAM_READ);
        gl::set_label(*api_, GL_BUFFER, slot.status.name(), "status of a finished sort");
    }
}

FinishedSorts::~FinishedSorts() {
    if (!api_->may_delete()) return;
    for (const Slot& slot : slots_)
        if (has_times_) api_->DeleteQueries(2, slot.times);
}

void FinishedSorts::take_time(Slot& slot, std::size_t which) const {
    (api_->es ? api_->QueryCounterEXT : api_->QueryCounter)(slot.times[which], GL_TIMESTAMP);
}

void FinishedSorts::begin() {
    ++sorts_;
    latest();  // Frees slots.
    const auto free =
        std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.done.get() == nullptr; });
    current_ = free == slots_.end() ? nullptr : &*free;
    if (current_ == nullptr) return;
    current_->number = sorts_;
    if (has_times_) take_time(*current_, 0);
}

void FinishedSorts::end(std::uint32_t count) {
    if (current_ == nullptr) return;
    current_->count = count;
    current_->has_status = false;
    end();
}

void FinishedSorts::end(const BufferSlice& status) {
    if (current_ == nullptr) return;
    current_->has_status = true;
    const gl::StateGuard guard(*api_, {.copy = true});
    api_->BindBuffer(GL_COPY_READ_BUFFER, status.name);
    api_->BindBuffer(GL_COPY_WRITE_BUFFER, current_->status.name());
    api_->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(status.offset), 0,
                            copied_bytes);
    end();
}

void FinishedSorts::end() {
    if (has_times_) take_time(*current_, 1);
    current_->done = gl::Sync(api_);
    current_ = nullptr;
}

std::optional<FinishedSort> FinishedSorts::latest() {
    for (Slot& slot : slots_) {
        if (slot.done.get() == nullptr || !slot.done.is_signaled()) continue;
        slot.done.reset();
        if (!latest_ || latest_->number < slot.number) read(slot);
    }
    return latest_;
}

/// Reads what a slot has. The GPU is done with the slot, so nothing waits.
void FinishedSorts::read(Slot& slot) {
    FinishedSort sort{.number = slot.number, .count = slot.count};
    if (has_times_) {
        const NoQueryBuffer no_query_buffer(*api_);
        GLuint64 times[2] = {};
        for (const std::size_t which : {0, 1})
            (api_->es ? api_->GetQueryObjectui64vEXT : api_->GetQueryObjectui64v)(slot.times[which], GL_QUERY_RESULT,
                                                                                  &times[which]);
        if (times[1] >= times[0]) sort.milliseconds = static_cast<double>(times[1] - times[0]) * 1e-6;
    }
    if (slot.has_status) {
        const gl::StateGuard guard(*api_, {.copy = true});
        api_->BindBuffer(GL_COPY_READ_BUFFER, slot.status.name());
        const void* mapped = api_->MapBufferRange(GL_COPY_READ_BUFFER, 0, copied_bytes, GL_MAP_READ_BIT);
        if (mapped == nullptr) return;
        std::uint32_t words[2] = {};
        std::memcpy(words, mapped, sizeof(words));
        api_->UnmapBuffer(GL_COPY_READ_BUFFER);
        sort.count = words[0];
        sort.clamped = words[1] != 0;
    }
    latest_ = sort;
}

}  // namespace glsort
