// What the files of the C interface share: views, statuses, handles, options of batches. No exception leaves a
// function.
#pragma once

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include <hwacha/hwacha.h>
#include <hwacha/executor.hpp>
#include <hwacha/lea_gcm.hpp>
#include <hwacha/lsh.hpp>
#include <hwacha/lsh_batch.hpp>

#include "batch/messages.hpp"

// Handles that more than one file opens.
struct hwacha_pool {
    hwacha::thread_pool value;
};
struct hwacha_lea_gcm {
    hwacha::lea_gcm value;
};

namespace hwacha::c {

inline hwacha_status to_c(status s) {
    return static_cast<hwacha_status>(s);
}

inline bool bad(const void* p, size_t n) {
    return p == nullptr && n != 0;
}

inline bytes_view view(const void* p, size_t n) {
    return {static_cast<const std::byte*>(p), n};
}
inline bytes_span span(void* p, size_t n) {
    return {static_cast<std::byte*>(p), n};
}

inline hwacha::lsh_variant to_cpp(hwacha_lsh_variant v) {
    return static_cast<hwacha::lsh_variant>(v);
}

// *result = new Handle{make()}, or the reason why not with *result null.
template <class Handle, class Make>
hwacha_status create(Handle** result, Make&& make) noexcept {
    if (result == nullptr) return HWACHA_NULL_POINTER;
    *result = nullptr;
    try {
        *result = new Handle{std::forward<Make>(make)()};
        return HWACHA_OK;
    } catch (const hwacha::error& e) {
        return to_c(e.code());
    } catch (...) {
        return HWACHA_OUT_OF_MEMORY;
    }
}

// No object, because of a null pointer.
template <class Handle>
hwacha_status none(Handle** result) noexcept {
    if (result != nullptr) *result = nullptr;
    return HWACHA_NULL_POINTER;
}

// What hash and HMAC contexts have in common; the C++ objects latch misuse of update, C callers are told at once.
template <class Context>
hwacha_status update(Context* ctx, const void* data, size_t size) noexcept {
    if (ctx == nullptr || bad(data, size)) return HWACHA_NULL_POINTER;
    if (ctx->finished) return HWACHA_FINISHED;
    ctx->value.update(view(data, size));
    return HWACHA_OK;
}

template <class Context, class End>
hwacha_status finish(Context* ctx, const void* result, size_t size, End&& end) noexcept {
    if (ctx == nullptr || bad(result, size)) return HWACHA_NULL_POINTER;
    const status s = std::forward<End>(end)(ctx->value);
    if (s == status::ok || s == status::auth_failed) ctx->finished = true;
    return to_c(s);
}

template <class Context>
hwacha_status reset(Context* ctx) noexcept {
    if (ctx == nullptr) return HWACHA_NULL_POINTER;
    ctx->value.reset();
    ctx->finished = false;
    return HWACHA_OK;
}

template <class Context>
hwacha_status copy(const Context* from, Context** ctx) noexcept {
    if (from == nullptr) {
        if (ctx != nullptr) *ctx = nullptr;
        return HWACHA_NULL_POINTER;
    }
    const hwacha_status s = create(ctx, [from] { return from->value; });
    if (s == HWACHA_OK) (*ctx)->finished = from->finished;
    return s;
}

// ---- Batches

class lent_threads final : public hwacha::executor {
  public:
    explicit lent_threads(const hwacha_executor& e) : e_(e) {}
    void run(std::size_t count, task t, void* context) override { e_.run(e_.context, count, t, context); }
    std::size_t concurrency() const noexcept override { return e_.concurrency; }

  private:
    hwacha_executor e_;
};

// Longer than any version will be: what is not a size shall not make us read on.
inline constexpr std::size_t longest_options = 4096;

inline hwacha_status read_options(const hwacha_batch_options* given, hwacha_batch_options& o) {
    if (given == nullptr) return HWACHA_OK;
    if (given->struct_size < sizeof o || given->struct_size > longest_options) return HWACHA_BAD_OPTION;
    const auto* bytes = reinterpret_cast<const unsigned char*>(given);
    const bool unknown = std::any_of(bytes + sizeof o, bytes + given->struct_size, [](int b) { return b != 0; });
    o = *given;
    if (unknown || (o.pool != nullptr && o.executor != nullptr)) return HWACHA_BAD_OPTION;
    if (o.executor == nullptr) return HWACHA_OK;
    if (o.executor->run == nullptr) return HWACHA_NULL_POINTER;
    return o.executor->concurrency == 0 ? HWACHA_BAD_OPTION : HWACHA_OK;
}

// batch(the options as C++ takes them)
template <class Batch>
hwacha_status run_batch(const hwacha_batch_options* given, Batch&& batch) noexcept {
    hwacha_batch_options o = HWACHA_BATCH_OPTIONS_INIT;
    if (const hwacha_status s = read_options(given, o); s != HWACHA_OK) return s;
    try {
        hwacha::batch_options options;
        std::optional<lent_threads> lent;
        if (o.executor != nullptr) options.threads = &lent.emplace(*o.executor);
        if (o.pool != nullptr) options.threads = &o.pool->value;
        if (o.progress != nullptr) {
            options.progress = [&o](std::size_t done) { return o.progress(o.progress_context, done) != 0; };
        }
        return to_c(std::forward<Batch>(batch)(options));
    } catch (const std::bad_alloc&) {
        return HWACHA_OUT_OF_MEMORY;
    } catch (...) {
        return HWACHA_EXECUTOR_FAILED;
    }
}

// Messages, keys or pieces in one of the two layouts.
struct batch_input {
    batch_input(const void* const* starts, const std::size_t* sizes, std::size_t count)
        : null(bad(starts, count) || bad(sizes, count)), list(starts, sizes, count) {}
    template <class Offset>
    batch_input(const void* data, std::size_t size, const Offset* offsets, std::size_t count)
        : null(bad(data, size) || bad(offsets, count)), list(view(data, size), offsets, count) {}

    bool null;
    hwacha::message_list list;
};

}  // namespace hwacha::c
