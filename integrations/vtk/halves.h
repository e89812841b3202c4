#pragma once

#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

#include <string>

#include "scenes.h"

/// What the examples share: a window of two halves, and a picture of it.

namespace halves {

/// Half of the window, with boxes in it.
inline vtkSmartPointer<vtkRenderer> add(vtkRenderWindow& window, double left, const char* text) {
    vtkSmartPointer<vtkRenderer> renderer = vtkSmartPointer<vtkRenderer>::New();
    scenes::set_up(*renderer);
    renderer->SetViewport(left, 0, left + 0.5, 1);
    vtkNew<vtkTextActor> title;
    title->SetInput(text);
    title->GetTextProperty()->SetFontSize(20);
    title->SetPosition(16, 12);
    renderer->AddViewProp(title);
    window.AddRenderer(renderer);
    return renderer;
}

/// Writes what the window shows as a PNG. Returns whether that worked.
inline bool write(vtkRenderWindow& window, const std::string& path) {
    vtkNew<vtkWindowToImageFilter> image;
    image->SetInput(&window);
    image->ReadFrontBufferOff();
    image->ShouldRerenderOff();
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputConnection(image->GetOutputPort());
    writer->SetFileName(path.c_str());
    writer->Write();
    return writer->GetErrorCode() == 0;
}

}  // namespace halves
