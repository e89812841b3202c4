// Compiled into sanitized programs only. Replaces the C library's dlclose. LeakSanitizer reports an unloaded driver
// without its name, and lsan.supp would not match the report.
int dlclose(void* handle);
int dlclose(void* handle) {
    (void)handle;
    return 0;
}
