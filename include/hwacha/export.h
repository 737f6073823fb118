/* Marks what the shared library exports, and results that must be looked at. */
#ifndef HWACHA_EXPORT_H
#define HWACHA_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define HWACHA_API __attribute__((visibility("default")))
#define HWACHA_CHECKED __attribute__((warn_unused_result))
#else
#define HWACHA_API
#define HWACHA_CHECKED
#endif

#endif
