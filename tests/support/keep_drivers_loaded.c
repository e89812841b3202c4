// Compiled into sanitized programs only. Instead of the C library's dlclose: a driver that has been
// unloaded has no name any more in a report of LeakSanitizer, so that lsan.supp would not match it.
int dlclose(void* handle);
int dlclose(void* handle) {
    (void)handle;
    return 0;
}
