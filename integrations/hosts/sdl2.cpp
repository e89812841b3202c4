#include <SDL.h>

#include <cstdio>

#include "sort_some.h"

int main(int, char**) {
    // [example]
    SDL_Init(SDL_INIT_VIDEO);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window* const window = SDL_CreateWindow("glsort", 0, 0, 640, 480, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    SDL_GLContext context = SDL_GL_CreateContext(window);  // current from now on
    if (context == nullptr) return std::printf("SDL gives no context: %s\n", SDL_GetError()), 1;
    const int code = sort_some(SDL_GL_GetProcAddress, "SDL 2");  // a glsort::Sorter takes SDL_GL_GetProcAddress
    SDL_GL_DeleteContext(context);
    SDL_Quit();
    return code;
    // [end]
}
