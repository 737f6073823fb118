// Which sanitizers the tests are compiled for: they make threads and stacks dear.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define HWACHA_TEST_TSAN 1
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HWACHA_TEST_SANITIZED 1
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HWACHA_TEST_TSAN 1
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HWACHA_TEST_SANITIZED 1
#endif
#endif
