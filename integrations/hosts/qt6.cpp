#include <QApplication>
#include <QOpenGLContext>
#include <QOpenGLWidget>
#include <QSurfaceFormat>

#include "sort_some.h"

namespace {

// [example]
/// The context of a widget is current in initializeGL, resizeGL and paintGL. A sorter that is a member ends in a
/// destructor, which calls makeCurrent() before.
class Widget : public QOpenGLWidget {
  public:
    int code = 1;

  private:
    void initializeGL() override {
        // A glsort::Sorter takes this function.
        const auto get_proc_address = [this](const char* name) { return context()->getProcAddress(name); };
        code = sort_some(get_proc_address, "Qt 6");
    }
};
// [end]

}  // namespace

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    Widget widget;
    QObject::connect(&widget, &QOpenGLWidget::frameSwapped, [&widget] { QApplication::exit(widget.code); });
    widget.show();
    return QApplication::exec();
}
