#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/headless_context.h"

/// What the programs share that measure engines: a context without a window, medians, and rows of CSV.

namespace timing {

/// Four bytes a pixel.
using Picture = std::vector<std::uint8_t>;

/// A context of EGL with the functions of old OpenGL, and a framebuffer to draw into. Needs neither a display nor a
/// window. The context is current from the constructor on.
class Offscreen {
  public:
    /// In pixels. `share_with`: a context to share objects with. Throws `std::runtime_error` if EGL gives no context of
    /// OpenGL 3.3, or the framebuffer is incomplete.
    Offscreen(int width, int height, const Offscreen* share_with = nullptr);
    Offscreen(const Offscreen&) = delete;

    /// Binds the framebuffer, too.
    void make_current();

    /// The framebuffer, which has 8 bits for each channel of a colour, and a depth.
    unsigned framebuffer() const { return framebuffer_; }
    /// Of the framebuffer.
    Picture picture() const;

  private:
    glsort::demo::HeadlessContext context_;
    int width_;
    int height_;
    unsigned framebuffer_ = 0;
};

/// Renderer and version of the current context.
std::string description();
/// Whether the current context has OpenGL 4.3, which the compute backend needs.
bool has_compute();

/// Milliseconds of `work`, with all work of the GPU done before and afterwards (`glFinish`).
double milliseconds(const std::function<void()>& work);

/// The median of milliseconds of a frame. `draw` gets the number of the frame, and turns the camera by this number: an
/// engine may keep its order while the camera rests. Frames are drawn for 400 ms first. Each of nine measurements then
/// waits for the GPU once behind a batch of frames, which takes 20 ms or more.
double median_frame(const std::function<void(int frame)>& draw);

double median(std::vector<double> values);

/// Throws `std::runtime_error` if the pictures differ by more than 2 of 255 in more than one pixel of 50. Depths that
/// nearly agree may be rounded otherwise on the GPU, and change the order of two elements.
void require_alike(const Picture& found, const Picture& expected, const std::string& series, std::uint32_t count);

/// The head of the CSV that docs/results holds.
void print_head();
/// A row of the CSV. `payload`: bytes that a sort moves with each key.
void print_row(const std::string& series, int payload, std::uint32_t count, double milliseconds);

/// The names of series, which are alike for all engines.
inline constexpr const char* not_sorted = "not sorted";
inline constexpr const char* by_fragment = "sorted by glsort (fragment)";
inline constexpr const char* by_compute = "sorted by glsort (compute)";
/// Ends the name of a series of times without a draw.
inline constexpr const char* alone = ": the sort alone";

/// Prints `help` and returns an exit code if the program has arguments: 0 for `--help`, 2 for any other. Otherwise runs
/// `measure`, prints what `measure` throws, and returns 1 if `measure` has thrown.
int run(int argument_count, char** arguments, const char* help, const std::function<void()>& measure);

}  // namespace timing
