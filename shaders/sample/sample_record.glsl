// Records as samples: the kernel's `Record` is that of samples, which always has an index. PLACED: those of tiles have
// none, or a value in its stead, but equal ones lie in the order of the input: their places order them as well.
// CODES_ALONE: theirs are nothing but a code.

#if defined(CODES_ALONE)
#define code_in_source(record) (record)
#elif KEY_WORDS == 1
#define code_in_source(record) (record).x
#else
#define code_in_source(record) (record).xy
#endif

#if defined(PLACED)
Record source_at(uint place) { return Record(code_in_source(source_gather(place)), place); }
#else
Record source_at(uint place) { return source_gather(place); }
#endif
