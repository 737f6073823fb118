// The C interface of LEA batches.
#include "api/c_api.hpp"
#include "batch/lea_gcm_batch.hpp"

namespace c = hwacha::c;

namespace {

const hwacha::lea_gcm& key_at(const void* list, std::size_t i) {
    return static_cast<const hwacha_lea_gcm* const*>(list)[i]->value;
}

using gcm_records_function = hwacha::status (*)(const hwacha::gcm_key_list&, std::span<hwacha_lea_gcm_record>,
                                                const hwacha::batch_options&);

hwacha_status run_gcm(gcm_records_function f, const hwacha_lea_gcm* gcm, hwacha_lea_gcm_record* records, size_t count,
                      const hwacha_batch_options* options) noexcept {
    if (gcm == nullptr || c::bad(records, count)) return HWACHA_NULL_POINTER;
    return c::run_batch(options, [&](const hwacha::batch_options& o) {
        return f(hwacha::gcm_key_list(gcm->value), std::span(records, count), o);
    });
}

hwacha_status run_gcm_keys(gcm_records_function f, const hwacha_lea_gcm* const* keys, hwacha_lea_gcm_record* records,
                           size_t count, const hwacha_batch_options* options) noexcept {
    if (c::bad(keys, count) || c::bad(records, count)) return HWACHA_NULL_POINTER;
    if (std::any_of(keys, keys + count, [](const hwacha_lea_gcm* k) { return k == nullptr; })) {
        for (size_t i = 0; i < count; ++i)
            records[i].result = keys[i] == nullptr ? HWACHA_NULL_POINTER : HWACHA_CANCELLED;
        return HWACHA_NULL_POINTER;
    }
    return c::run_batch(
        options, [&](const hwacha::batch_options& o) { return f({keys, key_at}, std::span(records, count), o); });
}

}  // namespace

hwacha_status hwacha_lea_gcm_seal_batch(const hwacha_lea_gcm* gcm, hwacha_lea_gcm_record* records, size_t count,
                                        const hwacha_batch_options* options) HWACHA_NOEXCEPT {
    return run_gcm(hwacha::seal_records, gcm, records, count, options);
}
hwacha_status hwacha_lea_gcm_open_batch(const hwacha_lea_gcm* gcm, hwacha_lea_gcm_record* records, size_t count,
                                        const hwacha_batch_options* options) HWACHA_NOEXCEPT {
    return run_gcm(hwacha::open_records, gcm, records, count, options);
}
hwacha_status hwacha_lea_gcm_seal_batch_keys(const hwacha_lea_gcm* const* keys, hwacha_lea_gcm_record* records,
                                             size_t count, const hwacha_batch_options* options) HWACHA_NOEXCEPT {
    return run_gcm_keys(hwacha::seal_records, keys, records, count, options);
}
hwacha_status hwacha_lea_gcm_open_batch_keys(const hwacha_lea_gcm* const* keys, hwacha_lea_gcm_record* records,
                                             size_t count, const hwacha_batch_options* options) HWACHA_NOEXCEPT {
    return run_gcm_keys(hwacha::open_records, keys, records, count, options);
}
