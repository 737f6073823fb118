/* Marks what the shared library exports. */
#ifndef HWACHA_EXPORT_H
#define HWACHA_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define HWACHA_API __attribute__((visibility("default")))
#else
#define HWACHA_API
#endif

#endif
