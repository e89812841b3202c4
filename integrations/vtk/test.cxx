#include <glsort/vtk_mapper.h>
#include <glsort/vtk_splat_mapper.h>

#include <GL/gl.h>
#include <vtkAppendPolyData.h>
#include <vtkCellData.h>
#include <vtkDataObject.h>
#include <vtkFloatArray.h>
#include <vtkHardwareSelector.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkLogger.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSelection.h>
#include <vtkSelectionNode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scenes.h"
#include "suite.h"

/// Pictures of VTK in glsort's order equal those in an order that the CPU finds, pixel for pixel.

namespace {

using scenes::Data;
using Actor = vtkSmartPointer<vtkActor>;
using suite::Failure;
using suite::Picture;

/// Collects what VTK warns of.
class Warnings : public vtkOutputWindow {
  public:
    static Warnings* New();
    vtkTypeMacro(Warnings, vtkOutputWindow);
    void DisplayText(const char* text) override { messages.add(text); }
    suite::Messages messages;
};
vtkStandardNewMacro(Warnings);

enum class Order { as_made, cpu, fragment, compute };

const char* name_of(Order order) {
    return order == Order::fragment ? "fragment" : "compute";
}

glsort::Backend backend_of(Order order) {
    return order == Order::fragment ? glsort::Backend::fragment : glsort::Backend::compute;
}

/// The cells in the order of their depths, the farthest first.
vtkSmartPointer<vtkCellArray> sorted_cells(vtkPolyData& data, vtkCellArray& cells, const std::array<float, 4>& plane) {
    std::vector<float> depths;
    vtkNew<vtkIdList> ids;
    for (vtkIdType cell = 0; cell < cells.GetNumberOfCells(); ++cell) {
        cells.GetCellAtId(cell, ids);
        std::array<std::array<float, 3>, 3> corners{};
        for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                corners[static_cast<std::size_t>(i)][axis] = static_cast<float>(data.GetPoint(ids->GetId(i))[axis]);
        std::array<float, 3> place = corners[0];
        if (ids->GetNumberOfIds() == 3)
            for (std::size_t axis = 0; axis < 3; ++axis)
                place[axis] = ((corners[0][axis] + corners[1][axis]) + corners[2][axis]) / 3.0f;
        // llvmpipe adds up a dot product from its last component on.
        depths.push_back(((plane[3] + plane[2] * place[2]) + plane[1] * place[1]) + plane[0] * place[0]);
    }
    std::vector<vtkIdType> order(depths.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](vtkIdType a, vtkIdType b) {
        return depths[static_cast<std::size_t>(a)] > depths[static_cast<std::size_t>(b)];
    });
    vtkSmartPointer<vtkCellArray> sorted = vtkSmartPointer<vtkCellArray>::New();
    for (const vtkIdType cell : order) {
        cells.GetCellAtId(cell, ids);
        sorted->InsertNextCell(ids);
    }
    return sorted;
}

/// What users of VTK do without glsort: cells in a new order, sorted on the CPU.
Data sorted_on_cpu(vtkPolyData& data, vtkActor& actor, vtkCamera& camera) {
    vtkNew<vtkMatrix4x4> model_view;
    vtkMatrix4x4::Multiply4x4(camera.GetModelViewTransformMatrix(), actor.GetMatrix(), model_view);
    std::array<float, 4> plane{};
    for (int i = 0; i < 4; ++i)
        plane[static_cast<std::size_t>(i)] = -static_cast<float>(model_view->GetElement(2, i));
    Data sorted = Data::New();
    sorted->ShallowCopy(&data);
    sorted->SetVerts(sorted_cells(data, *data.GetVerts(), plane));
    sorted->SetPolys(sorted_cells(data, *data.GetPolys(), plane));
    return sorted;
}

/// A window with boxes in it.
struct View {
    View() {
        scenes::set_up(*renderer);
        scenes::blend_in_order(*renderer);
        window->AddRenderer(renderer);
    }
    Picture draw() {
        window->Render();
        if (const GLenum error = glGetError(); error != GL_NO_ERROR)
            throw Failure("OpenGL error " + std::to_string(error));
        vtkNew<vtkUnsignedCharArray> pixels;
        window->GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, pixels);
        return {pixels->Begin(), pixels->End()};
    }

    static constexpr int width = 960;
    static constexpr int height = 540;
    vtkNew<vtkRenderer> renderer;
    vtkSmartPointer<vtkRenderWindow> window = scenes::make_window(width, height);
};

/// Something drawn, without its order.
struct Subject {
    Data data;
    std::function<void(vtkActor&)> dress = nullptr;
    std::function<void(vtkGlsortSplatMapper&)> splats = nullptr;  ///< If set, points are splats.
};

/// Splats in the order of the cells.
class StoredSplats : public vtkGlsortSplatMapper {
  public:
    static StoredSplats* New();
    vtkTypeMacro(StoredSplats, vtkGlsortSplatMapper);

  protected:
    void SortPrimitives(vtkRenderer*, vtkActor*) override {}
};
vtkStandardNewMacro(StoredSplats);

constexpr std::uint32_t point_count = 20000;

Subject points(std::uint32_t count = point_count) {
    return {scenes::points(count), [](vtkActor& actor) { scenes::draw_discs(actor, 10); }};
}

Subject gaussians(const Data& data = scenes::points(point_count)) {
    return {data, nullptr, [](vtkGlsortSplatMapper& mapper) { mapper.SetScaleFactor(0.03); }};
}

/// Lit, of opaque colours, and not translucent by the actor. Each has another size.
Subject billboards() {
    Data data = scenes::points(point_count);
    auto& colors = static_cast<vtkUnsignedCharArray&>(*data->GetPointData()->GetScalars());
    vtkNew<vtkFloatArray> sizes;
    sizes->SetName("size");
    for (vtkIdType i = 0; i < data->GetNumberOfPoints(); ++i) {
        colors.SetComponent(i, 3, 255);
        sizes->InsertNextValue(0.5f + 0.1f * static_cast<float>(i % 11));
    }
    data->GetPointData()->AddArray(sizes);
    const auto dress = [](vtkActor& actor) {
        actor.ForceTranslucentOff();
        actor.GetProperty()->LightingOn();
    };
    const auto splats = [](vtkGlsortSplatMapper& mapper) {
        mapper.SetScaleFactor(0.05);
        mapper.SetScaleArray("size");
        mapper.SetTriangleScale(1.0f);
        mapper.SetSplatShaderCode("//VTK::Color::Impl\nopacity *= 0.5 + 0.3 * offsetVCVSOutput.x;\n");
    };
    return {data, dress, splats};
}

/// The camera of `view` decides about an order of the CPU.
Actor actor_of(const Subject& subject, Order order, const View& view) {
    const bool stored = order == Order::as_made || order == Order::cpu;
    vtkSmartPointer<vtkPolyDataMapper> mapper;
    if (subject.splats) {
        const auto splats = stored ? vtkSmartPointer<vtkGlsortSplatMapper>(vtkSmartPointer<StoredSplats>::New())
                                   : vtkSmartPointer<vtkGlsortSplatMapper>::New();
        splats->SetBackend(backend_of(order));
        subject.splats(*splats);
        mapper = splats;
    } else if (stored) {
        mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
    } else {
        vtkNew<vtkGlsortMapper> sorting;
        sorting->SetBackend(backend_of(order));
        mapper = sorting;
    }
    Actor actor = scenes::actor_of(mapper);
    if (subject.dress) subject.dress(*actor);
    mapper->SetInputData(order == Order::cpu ? sorted_on_cpu(*subject.data, *actor, *view.renderer->GetActiveCamera())
                                             : subject.data);
    return actor;
}

Picture drawn(const Subject& subject, Order order, const std::function<void(View&)>& change = nullptr) {
    View view;
    if (change) change(view);
    view.renderer->AddActor(actor_of(subject, order, view));
    return view.draw();
}

/// Pixels that may differ. On GPUs that round otherwise than the CPU, points swap places whose depths nearly agree.
int tolerated_pixels = 400;

void require_equal(const Picture& found, const Picture& expected) {
    const int pixels = suite::different_pixels(found, expected);
    if (pixels > tolerated_pixels) throw Failure(std::to_string(pixels) + " pixels differ");
}

/// Cases in which VTK must be silent, or must say `warning`.
class Suite {
  public:
    Suite() {
        vtkOutputWindow::SetInstance(warnings_);
        vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    }
    void run(const std::string& name, const std::function<void()>& test, const std::string& warning = "") {
        cases_.run(name, [&] {
            warnings_->messages.take();
            test();
            const std::string text = warnings_->messages.take();
            if (warning.empty() ? !text.empty() : text.find(warning) == std::string::npos)
                throw Failure("VTK says: " + text);
        });
    }
    int conclude() const { return cases_.conclude(); }

  private:
    vtkNew<Warnings> warnings_;
    suite::Suite cases_;
};

/// Compares with an order of the CPU. That order must be seen.
void compare(const Subject& subject, Order order, const std::function<void(View&)>& change = nullptr) {
    const Picture expected = drawn(subject, Order::cpu, change);
    require_equal(drawn(subject, order, change), expected);
    suite::require_different(drawn(subject, Order::as_made, change), expected);
}

/// What glsort cannot sort is drawn as VTK draws.
void compare_unsorted(const Subject& subject, Order order) {
    require_equal(drawn(subject, order), drawn(subject, Order::as_made));
}

void compare_turning(Order order) {
    View view;
    view.renderer->AddActor(actor_of(points(), order, view));
    for (int frame = 0; frame < 4; ++frame) {
        scenes::aim(*view.renderer->GetActiveCamera(), 1.3 * frame);
        const auto turn = [&](View& other) { scenes::aim(*other.renderer->GetActiveCamera(), 1.3 * frame); };
        require_equal(view.draw(), drawn(points(), Order::cpu, turn));
    }
}

/// Two squares: they have the size that was asked for, and stay upright.
void compare_sizes(Order order) {
    Data data = scenes::data_of({{{-0.5f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}}, {{255, 0, 0, 255}, {0, 255, 0, 255}}});
    scenes::add_points(*data, 2);
    vtkNew<vtkFloatArray> sizes;
    sizes->SetName("size");
    sizes->InsertNextValue(1);
    sizes->InsertNextValue(2);
    data->GetPointData()->AddArray(sizes);
    const auto dress = [](vtkActor& actor) {
        actor.SetPosition(0, 0, 1.5);  // above the boxes
        actor.SetScale(2, 3, 3);       // moves points, and does not change their size
    };
    const auto splats = [](vtkGlsortSplatMapper& mapper) {
        mapper.SetScaleFactor(0.125);
        mapper.SetScaleArray("size");
        mapper.SetTriangleScale(2.0f);
        mapper.SetSplatShaderCode("//VTK::Color::Impl\n");
    };
    View view;
    vtkCamera& camera = *view.renderer->GetActiveCamera();
    camera.SetPosition(0, -6, 1.5);
    camera.SetFocalPoint(0, 0, 1.5);
    view.renderer->AddActor(actor_of({data, dress, splats}, order, view));
    const Picture picture = view.draw();
    // Pixels of a unit of length at a distance of 6: the camera sees 40 degrees.
    const double unit = View::height / (2 * 6 * std::tan(vtkMath::Pi() / 9));
    for (const auto& [side, edge] : {std::pair{-1, 0.5 * unit}, std::pair{1, unit}})
        for (int row = 0; row < View::height; ++row)
            for (int column = 0; column < View::width; ++column) {
                const double x = std::abs(column + 0.5 - (View::width / 2.0 + side * unit));
                const double y = std::abs(row + 0.5 - View::height / 2.0);
                const double from_edge = std::max(x, y) - edge / 2;
                const std::uint8_t* const pixel = &picture[static_cast<std::size_t>(4 * (row * View::width + column))];
                const bool is_drawn = pixel[side < 0 ? 0 : 1] == 255 && pixel[side < 0 ? 1 : 0] == 0;
                if (std::abs(from_edge) >= 1 && is_drawn != (from_edge < 0))
                    throw Failure("a square of another size, pixel " + std::to_string(column) + ", " +
                                  std::to_string(row));
            }
}

/// Setters hold from the next draw on.
void compare_changed_splats(Order order) {
    const Subject before = gaussians(billboards().data);
    const Subject after{before.data, nullptr, billboards().splats};
    View view;
    const Actor actor = actor_of(before, order, view);
    view.renderer->AddActor(actor);
    require_equal(view.draw(), drawn(before, Order::cpu));
    auto& mapper = static_cast<vtkGlsortSplatMapper&>(*actor->GetMapper());
    after.splats(mapper);
    require_equal(view.draw(), drawn(after, Order::cpu));
    const std::string code = vtkNew<vtkGlsortSplatMapper>()->GetSplatShaderCode();
    mapper.SetScaleArray("");
    mapper.SetTriangleScale(3.0f);
    mapper.SetSplatShaderCode(code);
    before.splats(mapper);
    require_equal(view.draw(), drawn(before, Order::cpu));
}

/// VTK moves what is far from the origin. The CPU sorts the points as they are near the origin.
void compare_far_away(Order order) {
    constexpr double far = 1 << 20;
    const Subject near = points();
    View view;
    scenes::aim(*view.renderer->GetActiveCamera(), 0.5, far);
    view.renderer->AddActor(actor_of({scenes::points(point_count, far), near.dress}, order, view));
    const Picture found = view.draw();

    View expected;
    const Data sorted =
        sorted_on_cpu(*near.data, *actor_of(near, Order::as_made, expected), *expected.renderer->GetActiveCamera());
    Data moved = scenes::points(point_count, far);
    moved->SetVerts(sorted->GetVerts());
    scenes::aim(*expected.renderer->GetActiveCamera(), 0.5, far);
    expected.renderer->AddActor(actor_of({moved, near.dress}, Order::as_made, expected));
    require_equal(found, expected.draw());
}

void compare_in_two_windows(Order order) {
    const auto turn = [](View& view) { scenes::aim(*view.renderer->GetActiveCamera(), 2); };
    View first;
    View second;
    turn(second);
    for (View* const view : {&first, &second})
        view->renderer->AddActor(actor_of(points(), order, *view));
    const Picture expected = drawn(points(), Order::cpu);
    const Picture expected_turned = drawn(points(), Order::cpu, turn);
    for (int frame = 0; frame < 3; ++frame) {
        require_equal(first.draw(), expected);
        require_equal(second.draw(), expected_turned);
    }
}

/// VTK uploads all data anew for each window.
void compare_one_mapper_in_two_windows(Order order) {
    View first;
    View second;
    const Actor actor = actor_of(points(), order, first);
    for (View* const view : {&first, &second})
        view->renderer->AddActor(actor);
    const Picture expected = drawn(points(), Order::cpu);
    for (int frame = 0; frame < 2; ++frame)
        for (View* const view : {&first, &second})
            require_equal(view->draw(), expected);
}

void compare_in_windows_in_turn(Order order) {
    const Picture expected = drawn(points(), Order::cpu);
    Actor actor;
    for (int turn = 0; turn < 3; ++turn) {
        View view;
        if (!actor) actor = actor_of(points(), order, view);
        view.renderer->AddActor(actor);
        require_equal(view.draw(), expected);
        view.window->Finalize();  // ends the context
        require_equal(view.draw(), expected);
    }  // the actor outlives each of these contexts
    View other;
    const Picture empty = other.draw();
    actor = nullptr;  // while another context is current
    require_equal(other.draw(), empty);
}

void compare_in_threads(Order order) {
    const Picture expected = drawn(points(), Order::cpu);
    std::array<View, 2> views;
    for (View& view : views) {
        view.draw();  // GLEW, which VTK contains, starts in one thread at a time
        view.window->ReleaseCurrent();
    }
    std::array<std::string, 2> failures;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < views.size(); ++i)
        threads.emplace_back([&, i] {
            try {
                views[i].renderer->AddActor(actor_of(points(), order, views[i]));
                for (int frame = 0; frame < 3; ++frame)
                    require_equal(views[i].draw(), expected);
            } catch (const std::exception& error) {
                failures[i] = error.what();
            }
            views[i].window->ReleaseCurrent();
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& failure : failures)
        if (!failure.empty()) throw Failure(failure);
}

void compare_after_changes(Order order) {
    View view;
    Subject growing = points(4000);
    Subject small = points(900);
    const Actor grows = actor_of(growing, order, view);
    const Actor goes = actor_of(small, order, view);
    const Actor stays = actor_of({scenes::tube()}, order, view);
    for (const Actor& actor : {grows, goes, stays})
        view.renderer->AddActor(actor);
    view.draw();
    view.renderer->RemoveActor(goes);
    growing.data->ShallowCopy(scenes::points(9000));
    const auto expected = [&](std::uint32_t count) {
        View other;
        other.renderer->AddActor(actor_of(points(count), Order::cpu, other));
        other.renderer->AddActor(actor_of({scenes::tube()}, Order::cpu, other));
        return other.draw();
    };
    require_equal(view.draw(), expected(9000));
    growing.data->ShallowCopy(scenes::points(2000));
    require_equal(view.draw(), expected(2000));
}

/// The numbers of what VTK finds behind some pixels.
std::vector<vtkIdType> picked(const Subject& subject, Order order, int association) {
    View view;
    const Actor actor = actor_of(subject, order, view);
    view.renderer->AddActor(actor);
    view.draw();
    vtkNew<vtkHardwareSelector> selector;
    selector->SetRenderer(view.renderer);
    selector->SetArea(300, 200, 420, 300);
    selector->SetFieldAssociation(association);
    view.renderer->SetPass(nullptr);  // with a pass, VTK finds nothing
    const auto selection = vtkSmartPointer<vtkSelection>::Take(selector->Select());
    scenes::blend_in_order(*view.renderer);
    std::vector<vtkIdType> ids;
    for (unsigned int i = 0; selection && i < selection->GetNumberOfNodes(); ++i) {
        vtkSelectionNode& node = *selection->GetNode(i);
        if (node.GetProperties()->Get(vtkSelectionNode::PROP()) != actor) continue;
        auto& list = *vtkIdTypeArray::SafeDownCast(node.GetSelectionList());
        ids.insert(ids.end(), list.Begin(), list.End());
    }
    view.draw();  // sorts again
    return ids;
}

void compare_picks(Order order) {
    for (const Subject& subject : {points(), Subject{scenes::tube()}, gaussians()})
        for (const int association :
             {vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataObject::FIELD_ASSOCIATION_CELLS}) {
            const std::vector<vtkIdType> expected = picked(subject, Order::as_made, association);
            if (expected.size() < 50) throw Failure("VTK finds " + std::to_string(expected.size()) + " only");
            if (picked(subject, order, association) != expected) throw Failure("VTK finds others");
        }
}

Subject with_colours_of_cells() {
    Data data = scenes::tube();
    vtkNew<vtkUnsignedCharArray> colors;
    colors->SetNumberOfComponents(4);
    for (vtkIdType cell = 0; cell < data->GetNumberOfPolys(); ++cell) {
        const std::array<unsigned char, 4> color{static_cast<unsigned char>(37 * cell % 256), 90, 200, 120};
        colors->InsertNextTypedTuple(color.data());
    }
    data->GetPointData()->SetScalars(nullptr);
    data->GetCellData()->SetScalars(colors);
    return {data};
}

Subject points_of_cells(vtkCellArray& cells) {
    Subject subject = points();
    subject.data->SetVerts(&cells);
    return subject;
}

/// The last ones come first.
Subject every_other_point() {
    vtkNew<vtkCellArray> cells;
    for (vtkIdType id = point_count - 2; id >= 0; id -= 2)
        cells->InsertNextCell(1, &id);
    return points_of_cells(*cells);
}

/// Two clouds through each other, and a tube through both, that VTK draws as one.
Subject appended() {
    const Data other = scenes::points(point_count / 2);
    for (vtkIdType i = 0; i < other->GetNumberOfPoints(); ++i) {
        const std::array<double, 3> place{other->GetPoint(i)[1], other->GetPoint(i)[2], other->GetPoint(i)[0]};
        other->GetPoints()->SetPoint(i, place.data());
    }
    vtkNew<vtkAppendPolyData> all;
    for (const Data& data : {scenes::points(point_count / 2), other, scenes::tube()})
        all->AddInputData(data);
    all->Update();
    return {all->GetOutput(), points().dress};
}

/// Many of the points come again.
Subject points_again() {
    vtkNew<vtkCellArray> cells;
    for (vtkIdType i = 0; i < point_count; ++i)
        cells->InsertNextCell(1, &i);
    for (vtkIdType i = 0; i < 3000; ++i) {
        const vtkIdType id = 7 * i % 5000;
        cells->InsertNextCell(1, &id);
    }
    return points_of_cells(*cells);
}

Subject moved(Subject subject) {
    const auto move = [dress = subject.dress](vtkActor& actor) {
        if (dress) dress(actor);
        actor.RotateX(70);
        actor.RotateZ(20);
        actor.SetScale(1.2, 0.8, 1.1);
        actor.SetPosition(0.3, -0.2, 0.1);
    };
    return {subject.data, move, subject.splats};
}

Subject wireframe(const Subject& subject) {
    return {subject.data, [](vtkActor& actor) { actor.GetProperty()->SetRepresentationToWireframe(); }};
}

Subject opaque(const Subject& subject) {
    return {subject.data, [](vtkActor& actor) { actor.ForceOpaqueOn(); }};
}

void narrow(View& view) {
    view.renderer->SetViewport(0.2, 0.1, 0.7, 0.9);  // VTK sets a viewport and a scissor box
}

int usage(int code) {
    std::puts(
        "Usage: vtk_test\n\n"
        "Compares pictures of VTK in glsort's order with those in an order of the CPU.\n"
        "Ends with a line \"N passed, N failed\".\n\n"
        "  --help  prints this text");
    return code;
}

/// Looks at the context. Returns whether the compute backend can run.
bool has_compute() {
    View view;
    view.draw();
    const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    if (renderer.find("llvmpipe") != std::string::npos) tolerated_pixels = 0;
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    std::printf("OpenGL %s, %s; %d pixels may differ\n", version.c_str(), renderer.c_str(), tolerated_pixels);
    return version >= "4.3";
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string option = argc > 1 ? argv[1] : "";
    if (option == "--help") return usage(0);
    if (argc > 1) return usage(2);

    Suite all;
    std::vector<Order> orders{Order::fragment};
    if (has_compute()) orders.push_back(Order::compute);
    for (const Order order : orders) {
        const std::string on = std::string(", ") + name_of(order);
        all.run("points" + on, [&] { compare(points(), order); });
        all.run("triangles" + on, [&] { compare({scenes::tube()}, order); });
        all.run("points and triangles in one" + on, [&] { compare({scenes::points_and_tube(4000)}, order); });
        all.run("splats" + on, [&] { compare(gaussians(), order); });
        all.run("billboards" + on, [&] { compare(billboards(), order); });
        all.run("splats and triangles in one" + on, [&] { compare(gaussians(scenes::points_and_tube(4000)), order); });
        all.run("splats that change" + on, [&] { compare_changed_splats(order); });
        all.run("size of splats" + on, [&] { compare_sizes(order); });
        all.run("moved points" + on, [&] { compare(moved(points()), order); });
        all.run("moved splats" + on, [&] { compare(moved(gaussians()), order); });
        all.run("moved triangles" + on, [&] { compare(moved({scenes::tube()}), order); });
        all.run("points far away" + on, [&] { compare_far_away(order); });
        all.run("points in a part of the window" + on, [&] { compare(points(), order, narrow); });
        all.run("points while the camera turns" + on, [&] { compare_turning(order); });
        all.run("two windows" + on, [&] { compare_in_two_windows(order); });
        all.run("one mapper in two windows" + on, [&] { compare_one_mapper_in_two_windows(order); });
        all.run("two windows, a thread for each" + on, [&] { compare_in_threads(order); });
        all.run("windows in turn" + on, [&] { compare_in_windows_in_turn(order); });
        all.run("an object that grows, and one that goes" + on, [&] { compare_after_changes(order); });
        all.run("picking" + on, [&] { compare_picks(order); });
        all.run("wireframe, not sorted" + on, [&] { compare_unsorted(wireframe({scenes::tube()}), order); });
        all.run("opaque points, not sorted" + on, [&] { compare_unsorted(opaque(points()), order); });
        all.run(
            "colours of cells, not sorted" + on, [&] { compare_unsorted(with_colours_of_cells(), order); },
            "colours of cells");
        all.run("some of the points" + on, [&] { compare(every_other_point(), order); });
        all.run("several objects in one" + on, [&] { compare(appended(), order); });
        all.run("points several times" + on, [&] { compare(points_again(), order); });
    }
    if (orders.size() == 1)
        all.run(
            "a backend that the context lacks", [] { compare_unsorted(points(), Order::compute); }, "not sorted: ");
    return all.conclude();
} catch (const std::exception& error) {
    std::fprintf(stderr, "vtk_test: %s\n", error.what());
    return 1;
}
