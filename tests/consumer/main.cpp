#include <glsort/version.h>

#include <cstdio>

int main() {
    std::printf("glsort %s\n", glsort::version());
}
