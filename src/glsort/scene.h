#pragma once

#include <glsort/sorter.h>
#include <glsort/spec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glsort {

class SceneSession;

/// Keys that the library computes: how far elements are from the camera. Elements are points, or triangles. A triangle
/// lies where its centroid is.
struct ViewKeys {
    enum class Measure {
        depth,  ///< The distance along the direction of view. Ahead of the camera is positive.
        /// The distance from the camera. The key is the square of the distance, which has an equal order.
        distance,
    };
    Measure measure = Measure::depth;
    /// The input with the positions, f32 or f16. Missing components are 0. A fourth component is not read.
    std::string position = "position";
    /// The input with three vertex numbers for each triangle, u32 or u16 with 3 components. They count elements of
    /// `position`. Empty: elements are points. With corners, `SceneInput::elements` of `position` must be the max
    /// number of vertices, and the numbers of corners must be below this max. `first_index` and `base_vertex` of the
    /// arguments do not change the numbers.
    std::string corners = {};
    /// The input whose first component is the radius of a point, in units of positions, f32 or f16, not negative.
    /// Empty: 0. Not with `corners`.
    std::string radius = {};
    /// Whether elements outside of the frustum are left out. A point is outside if its sphere lies wholly behind one of
    /// the six planes. A triangle is outside if all three corners lie behind one plane. Some elements near the edges of
    /// the frustum stay although they are not visible. Positions that are not numbers are outside.
    bool frustum = true;
    /// Whether points are left out whose sphere has a diameter of less than `View::min_pixels` on the screen. Needs
    /// `radius`. With a perspective projection, points behind the camera stay: `frustum` decides about these. Positions
    /// that are not numbers are left out.
    bool small = false;
};

/// A camera, or a plane. To sort by distances from a plane, use `Measure::depth` without `frustum`. The third row of
/// `view` (elements 2, 6, 10 and 14) is then the plane, negated. The rest of both matrices is a unit matrix.
///
/// Matrices are in columns, as `glUniformMatrix4fv` takes them without transposition. Both must be set.
struct View {
    /// From positions to the space of the camera, which looks along -z. For positions in the space of a model: the
    /// product of the view matrix and the model matrix. Each model then needs a view of its own. The unit of depths and
    /// distances is that of the space of the camera.
    std::array<float, 16> view = {};
    /// From the space of the camera to clip space. Perspective or orthographic.
    std::array<float, 16> projection = {};
    /// Whether depths in clip space begin at 0, as after `glClipControl` with `GL_ZERO_TO_ONE`.
    bool zero_to_one = false;
    float viewport_height = 0.0f;  ///< Pixels. Only for `ViewKeys::small`.
    float min_pixels = 1.0f;       ///< Diameter in pixels. Only for `ViewKeys::small`.
};

/// Makes the source compute `keys`: replaces its `sort_key`, `values` and `host`. Set `SceneSource::inputs` before the
/// call. `SceneSpec::key` must be f32. With another type, construction of a `SceneSorter` throws. `CpuSceneSorter` does
/// not notice the error, and sorts wrongly.
///
/// Floats are computed in single precision. Their last bits differ between GPUs, and so do the keys of elements near
/// the edges of the frustum. How far may the keys of two devices differ? Let S be the sum of the absolute values of the
/// four products that make up a depth. For triangles, use the mean of the absolute coordinates of the corners. For
/// distances, S is the sum of the squares of three such sums, one for each coordinate. The limits are:
/// - depths of points: 4 S 2^-23, and of triangles: 12 S 2^-23;
/// - distances of points: 12 S 2^-23, and of triangles: 36 S 2^-23.
///
/// Throws `Error` if an input is missing or has another type, or if members exclude each other.
GLSORT_API void compute_view_keys(SceneSource& source, const ViewKeys& keys);

/// The numbers for `SceneArguments::Source::values`: those of one camera. One result serves all sources whose keys
/// agree in `measure`, `frustum` and `small`. Costs about 200 multiplications, and an allocation.
///
/// Throws `Error` if a matrix is zero or has numbers that are not finite. With `ViewKeys::small`, also throws if
/// `viewport_height` is not above 0, if `min_pixels` is negative, or if one of the two is not finite. Also throws if
/// the matrices shrink every vertical length to 0 pixels.
GLSORT_API std::vector<std::array<float, 4>> view_values(const ViewKeys& keys, const View& view);

/// GLSL of a function `uvec2 scene_item(uint item)`, which returns the source and the element of an item: for shaders
/// that draw the order. Valid in GLSL 3.30 and GLSL ES 3.00. Cost in a shader: a binary search, with about
/// log2(sources) comparisons. The text contains the capacities as constants.
GLSORT_API std::string item_glsl(const std::vector<SceneSource>& sources);

/// What one sort of a scene works on. A member that is set although the specification does not use the member throws.
///
/// A sort writes `order`, `triangles`, `commands`, `texture` and `Result::target`. Slices of these overlap neither each
/// other nor what the sort reads: inputs, counts and `indices`. In result buffers, elements after the last visible item
/// have any value.
struct SceneArguments {
    struct Source {
        /// One slice for each input of the source that is in a buffer. `BufferSlice::offset` is a multiple of 4. A
        /// slice has room for the elements of this call: `SceneInput::offset` + stride * (elements - 1) + one element,
        /// in bytes, rounded up to a multiple of 4. The number of elements is `count`, or `table_elements` for a table.
        /// With `SceneSource::gpu_count`, `count` is replaced by the capacity. Slices may overlap each other. Slices of
        /// no elements need no room, but name a buffer all the same.
        std::vector<BufferSlice> inputs = {};
        /// One texture for each input that is in a texture: row-wise, with room for the elements of this call. A
        /// texture must not be `SceneArguments::texture`.
        std::vector<TextureView> textures = {};
        /// Elements, from 0 to the capacity. A larger count throws. 0 with `SceneSource::gpu_count`.
        std::uint32_t count = 0;
        /// One number for each table (an input with `SceneInput::elements`), in the order of the inputs: the elements
        /// that the table has in this call, from 0 to `SceneInput::elements`. GLSL must not read further elements.
        /// Empty: all tables are full.
        std::vector<std::uint32_t> table_elements = {};
        /// Only with `SceneSource::gpu_count`, instead of `count`: a u32 in a buffer. The offset is a multiple of 4. A
        /// count above the capacity is clamped to the capacity.
        BufferSlice gpu_count = {};
        /// Instead of `gpu_count`, for a `SceneSource::gpu_count_medium` of texture: the count is the red channel of
        /// texel (0, 0) of level 0. The texture has unsigned integers of any size.
        TextureView gpu_count_texture = {};
        std::vector<std::array<float, 4>> values = {};  ///< One for each value of the source.
        /// Only with `SceneSpec::triangles`: where the corners of element 0 begin in `SceneArguments::indices`. The
        /// unit is an index. The corners of all elements of this call must lie in that slice. With
        /// `SceneSource::gpu_count`, the corners of as many elements as the capacity must lie there.
        std::uint32_t first_index = 0;
        /// Only with `SceneSpec::triangles`: added to each index of this source.
        std::int32_t base_vertex = 0;
    };
    /// The tables and the place of a result.
    struct Result {
        std::vector<BufferSlice> inputs = {};            ///< As `Source::inputs`.
        std::vector<TextureView> textures = {};          ///< As `Source::textures`.
        std::vector<std::uint32_t> table_elements = {};  ///< As `Source::table_elements`.
        std::vector<std::array<float, 4>> values = {};   ///< One for each value of the result.
        /// `SceneResult::vectors` times 16 bytes for each item. The offset is a multiple of 16.
        BufferSlice target = {};
    };
    std::vector<Source> sources = {};  ///< One for each source of the specification.
    /// Unless `SceneSpec::order` is false: the item numbers of the visible items in their order, as u32. Room for the
    /// items of this call: the sum of all counts, or of the capacities of sources with `gpu_count`. The offset is a
    /// multiple of 4.
    BufferSlice order = {};
    /// Only with `SceneSpec::triangles`: the caller's index buffer. The offset is a multiple of 4. Room for
    /// `index_count` indices, rounded up to a multiple of 4 bytes.
    BufferSlice indices = {};
    /// Only with `SceneSpec::triangles`: how many indices `indices` has, at most `SceneTriangles::indices`. 0 means
    /// that maximum.
    std::uint32_t index_count = 0;
    /// Only with `SceneSpec::triangles`: `SceneTriangles::corners` u32 for each visible item. Room for the items of
    /// this call. The offset is a multiple of 4. With two corners, the offset is a multiple of 8.
    BufferSlice triangles = {};
    /// Only with `SceneSpec::texture`: row-wise, with a texel for each item, up to the sum of the capacities. With
    /// `four_items`, a texel holds four items: the number of texels is a quarter, rounded up.
    TextureView texture = {};
    std::vector<Result> results = {};  ///< One for each result of the specification.
    /// Only with `SceneSpec::quantisation`, otherwise 0: the depths between which the quantised keys are spread. Both
    /// are finite, and `nearest` is below `farthest`. With `reciprocal`, `nearest` is above 0. Depths so close
    /// together, or so far apart, that the size of a step is no finite float above 0 are refused. The unit is that of
    /// the keys. With `ViewKeys::Measure::distance`, keys are squares of distances, so set squares here, too.
    float nearest = 0.0f;
    float farthest = 0.0f;
    /// One slice for each command of the specification, with room for 16 bytes (`SceneCommand::Kind::arrays`) or 20
    /// bytes (`elements`). Offsets are multiples of 4.
    std::vector<BufferSlice> commands = {};
};

/// Sorts what is to be drawn. Keys come from the caller's GLSL, or from `compute_view_keys`. Elements that are not
/// drawn are left out. All sources become one order, and nothing is read back.
///
/// The rules of `Sorter` hold: what construction does, what a call leaves alone, what an application may do between
/// calls, which errors are thrown. Runs on both backends, from OpenGL 3.3 and OpenGL ES 3.0 on.
///
/// Each key is computed once. From the stored keys on, all devices give identical bits.
///
/// Cost of a call on the GPU: each input is read once, and each key is written once. On the fragment backend in OpenGL
/// ES, inputs in buffers are read once more, to copy them to textures. A sort of the visible elements follows. Usually
/// the sort itself finds these elements. With some algorithms, and for some keys, one to three more ops before the sort
/// move the elements together. On the compute backend, the capacity decides the number of groups: a source starts at
/// most one for each 1024 elements of its capacity, rounded up. On the fragment backend, the cost of the ops before and
/// behind the sort depends on the capacities, not on the counts.
class GLSORT_API SceneSorter {
  public:
    /// Compiles and allocates for `spec` in the current context.
    ///
    /// Throws `Error` as `Sorter::Sorter` does. Also throws for:
    /// - a specification that cannot be: the message names the source, the member, its value and the limit;
    /// - GLSL that does not compile: the message names the source and the line of the caller's text;
    /// - more inputs than a shader can read: the message names the numbers. Besides the inputs, the library needs some
    ///   bindings itself. On the compute backend a source takes two storage blocks, and one more for a count on the
    ///   GPU. A result takes three storage blocks. Inputs in textures, and a count in a texture, take one of 16
    ///   textures each. On the fragment backend a count on the GPU takes one texture, and a result takes two;
    /// - `SorterOptions::caller_scratch`, which scenes do not support.
    SceneSorter(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options = {});
    ~SceneSorter();
    SceneSorter(SceneSorter&&) noexcept;
    SceneSorter& operator=(SceneSorter&&) noexcept;

    /// Computes the keys, leaves out what is not drawn, sorts the rest, and writes the results that the specification
    /// asks for. `readers` says who reads the results next. Throws `Error`, with nothing changed, for arguments that
    /// `SceneArguments` does not allow, and as `Sorter::sort` does.
    void sort(const SceneArguments& arguments, Readers readers = Readers::all);

    /// As `Sorter::ready`.
    bool ready(std::chrono::microseconds time = std::chrono::milliseconds(1));
    /// As `Sorter::reserve`, with a capacity for each source. A smaller capacity leaves the capacity of its source as
    /// it is. Larger capacities change the item numbers (`base_of`): the results of a call follow the capacities of
    /// that call. After the growth, `SceneArguments::texture` needs a texel for each item of the new capacities.
    /// `SceneInput::elements` and `SceneTriangles::indices` do not grow. They cost no memory on the compute backend, up
    /// to the size of a storage block. So choose them generously at construction. Throws `Error` for a wrong number of
    /// capacities, and as the constructor does for a specification with these capacities.
    void reserve(std::span<const std::uint32_t> capacities);

    /// As `Sorter::finished`. Throws as well.
    std::optional<FinishedSort> finished();
    /// As `Sorter::fence`. Throws as well.
    void* fence() const;

    /// Four u32 that each sort writes. Word 0: the number of visible items. Word 1: 1 if a count on the GPU was
    /// clamped, 0 if none was. Words 2 and 3: 0. Before the first sort, the contents are undefined.
    ///
    /// The buffer belongs to the sorter, keeps its name until a call after `reserve`, and is only to be read. Readers
    /// of the last sort may read the buffer, too: for copies to an indirect buffer, ask for `Readers::transfer`.
    BufferSlice status() const;

    /// The specification, with the algorithm and backend that were chosen. The reference is valid until the next call,
    /// or the next `ready`.
    const SceneSpec& spec() const;
    /// The program in front of the sort: keys and culling. If the sort cannot find the visible items itself, this
    /// program also moves these items together.
    ///
    /// `key_program`, `sort_program` and `sink_program` return the programs of the next call. References are valid
    /// until the next call, or the next `ready`.
    const StreamProgram& key_program() const;
    /// The program of the sort. The sort's count is the first word of `status`.
    StreamProgram sort_program() const;
    /// The program behind the sort: what becomes of the order. Without ops if the sort itself writes all that the
    /// specification asks for.
    const StreamProgram& sink_program() const;
    /// As `Sorter::scratch_bytes`.
    std::uint64_t scratch_bytes() const;

    /// As `Sorter::abandon`.
    void abandon() noexcept;

  private:
    std::shared_ptr<Serving<SceneSession>> serving_;
};

/// What one sort of a scene in host memory works on. Rules for numbers are those of `SceneArguments`.
struct CpuSceneArguments {
    struct Source {
        /// One for each input of the source, in their order: the words from the start of the caller's slice on, for as
        /// many bytes as `SceneArguments::Source::inputs` requires. For an input in a texture: the components of all
        /// elements, one word each. With `SceneSource::gpu_count`, words for `count` elements are enough.
        std::vector<std::span<const std::uint32_t>> inputs = {};
        /// Elements. A count above the capacity is clamped if the source has `SceneSource::gpu_count`. Otherwise `sort`
        /// throws `Error`.
        std::uint32_t count = 0;
        std::vector<std::uint32_t> table_elements = {};  ///< As `SceneArguments::Source::table_elements`.
        std::vector<std::array<float, 4>> values = {};   ///< One for each value of the source.
        std::uint32_t first_index = 0;
        std::int32_t base_vertex = 0;
    };
    struct Result {
        std::vector<std::span<const std::uint32_t>> inputs = {};  ///< As `Source::inputs`.
        std::vector<std::uint32_t> table_elements = {};           ///< As `Source::table_elements`.
        std::vector<std::array<float, 4>> values = {};            ///< One for each value of the result.
    };
    std::vector<Source> sources = {};  ///< One for each source of the specification.
    /// Only with `SceneSpec::triangles`: the words of the caller's index buffer.
    std::span<const std::uint32_t> indices = {};
    std::vector<Result> results = {};  ///< One for each result of the specification.
    float nearest = 0.0f;
    float farthest = 0.0f;
};

/// Sorts a scene in host memory, in C++, op by op. The results specify what `SceneSorter` must write. For tests and
/// tools. Runs `SceneSource::host` and `SceneResult::host` in place of the GLSL. Needs no context. Slow: some 100 ns
/// for each element and op.
///
/// There is one program for keys, sort and sinks. The program is planned for the number of visible items of the sort. A
/// sorter that was moved from may only be assigned to and destroyed.
///
/// A build of the library with GLSORT_CPU=OFF lacks this class.
class GLSORT_API CpuSceneSorter {
  public:
    /// `SceneSpec::backend` says which programs run: those of compute (also for `automatic` and `cpu`), or those of
    /// fragment. Both give equal orders. `limits`: the limits for which the programs are planned.
    ///
    /// Throws `Error` for a specification that cannot be, as `SceneSorter::SceneSorter` does, and for a source or a
    /// result without its host function.
    explicit CpuSceneSorter(const SceneSpec& spec, const Limits& limits = {});
    ~CpuSceneSorter();
    CpuSceneSorter(CpuSceneSorter&&) noexcept;
    CpuSceneSorter& operator=(CpuSceneSorter&&) noexcept;

    /// Sorts. Throws `Error` for arguments that do not fit the specification; the last sort then stays as it was.
    void sort(const CpuSceneArguments& arguments);
    /// Copies the inputs, finds out how many items are visible, and begins a sort. Throws as `sort` does.
    void begin(const CpuSceneArguments& arguments);
    /// Runs the next op. Returns false if there was none.
    bool step();
    /// Runs the next op, and replaces `trace` by what the op read, wrote and compared. Returns false if there was no
    /// op.
    bool step(OpTrace& trace);
    /// Ops that have run since `begin`.
    std::size_t steps_done() const;
    /// The words of a stream of `program()` after the steps so far. Throws `Error` if no sort has begun, and past the
    /// last stream. `program().stream(NAME)` finds the stream of a result: `triangles`, `texture`, `command_0` and so
    /// on for commands, `result_0` and so on for results.
    std::vector<std::uint32_t> read(StreamId stream);

    /// The program of the sort that has begun. Before the first one: the program of a sort with all items visible.
    const StreamProgram& program() const;
    /// The visible items of the sort that has begun.
    std::uint32_t visible() const;
    /// The numbers of the visible items in their order. Throws `Error` unless all ops have run.
    std::vector<std::uint32_t> order();
    /// How often keys were compared since `begin`.
    std::uint64_t comparisons() const;
    /// The specification, with the backend that was chosen.
    const SceneSpec& spec() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace glsort
