// The functions of hwacha/lea_batch.hpp for LEA-GCM with records and keys in any layout: what the C++ and the C
// interface have in common.
#pragma once

#include <hwacha/hwacha.h>
#include <hwacha/lea_batch.hpp>

#include "base/bytes.hpp"

namespace hwacha {

// Views of a record, by whichever interface it came. What is used of these per record compiles to loads of one word
// each: short records would feel any more.
inline bytes_view nonce_of(const lea_gcm_record& r) {
    return r.nonce;
}
inline bytes_view aad_of(const lea_gcm_record& r) {
    return r.aad;
}
inline bytes_view text_of(const lea_gcm_record& r) {
    return r.text;
}
inline bytes_span out_of(const lea_gcm_record& r) {
    return r.out;
}
inline void set_result(lea_gcm_record& r, status s) {
    r.result = s;
}
inline bool null_pointer_in(const lea_gcm_record&) {
    return false;
}

inline bytes_view nonce_of(const hwacha_lea_gcm_record& r) {
    return {static_cast<const std::byte*>(r.nonce), r.nonce_size};
}
inline bytes_view aad_of(const hwacha_lea_gcm_record& r) {
    return {static_cast<const std::byte*>(r.aad), r.aad_size};
}
inline bytes_view text_of(const hwacha_lea_gcm_record& r) {
    return {static_cast<const std::byte*>(r.text), r.text_size};
}
inline bytes_span out_of(const hwacha_lea_gcm_record& r) {
    return {static_cast<std::byte*>(r.out), r.out_size};
}
inline void set_result(hwacha_lea_gcm_record& r, status s) {
    r.result = static_cast<hwacha_status>(s);
}
// Null with a size above 0.
inline bool null_pointer_in(const hwacha_lea_gcm_record& r) {
    const auto bad = [](const void* p, std::size_t n) { return p == nullptr && n != 0; };
    return bad(r.nonce, r.nonce_size) || bad(r.aad, r.aad_size) || bad(r.text, r.text_size) || bad(r.out, r.out_size);
}

template <class Record>
class gcm_record_list {
  public:
    explicit gcm_record_list(std::span<Record> records) : records_(records) {}

    std::size_t count() const { return records_.size(); }
    Record& operator[](std::size_t i) const { return records_[i]; }
    bytes_view memory() const { return std::as_bytes(records_); }

    // For batch_portions: a portion is known by its first record and their number.
    using slot = char;
    std::size_t part(std::size_t, std::size_t count, slot*) const { return count; }
    std::size_t size(std::size_t i) const { return aad_of(records_[i]).size() + text_of(records_[i]).size(); }

  private:
    std::span<Record> records_;
};

// One key, or one for each record.
class gcm_key_list {
  public:
    explicit gcm_key_list(const lea_gcm& key) : one_(&key) {}
    gcm_key_list(const void* list, const lea_gcm& (*at)(const void* list, std::size_t i)) : list_(list), at_(at) {}

    const lea_gcm& operator[](std::size_t i) const { return one_ != nullptr ? *one_ : at_(list_, i); }
    bool one() const { return one_ != nullptr; }

  private:
    const lea_gcm* one_ = nullptr;
    const void* list_ = nullptr;
    const lea_gcm& (*at_)(const void* list, std::size_t i) = nullptr;
};

// For both types of record.
template <class Record>
status seal_records(const gcm_key_list& keys, std::span<Record> records, const batch_options& options);
template <class Record>
status open_records(const gcm_key_list& keys, std::span<Record> records, const batch_options& options);

}  // namespace hwacha
