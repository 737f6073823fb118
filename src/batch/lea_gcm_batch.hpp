// The functions of hwacha/lea_batch.hpp for LEA-GCM with records and keys in any layout: what the C++ and the C
// interface have in common.
#pragma once

#include <hwacha/hwacha.h>
#include <hwacha/lea_batch.hpp>

#include "base/bytes.hpp"

namespace hwacha {

class gcm_record_list {
  public:
    explicit gcm_record_list(std::span<lea_gcm_record> records) : cpp_(records.data()), count_(records.size()) {}
    gcm_record_list(hwacha_lea_gcm_record* records, std::size_t count) : c_(records), count_(count) {}

    std::size_t count() const { return count_; }

    bytes_view nonce(std::size_t i) const {
        return c_ == nullptr ? cpp_[i].nonce : view(c_[i].nonce, c_[i].nonce_size);
    }
    bytes_view aad(std::size_t i) const { return c_ == nullptr ? cpp_[i].aad : view(c_[i].aad, c_[i].aad_size); }
    bytes_view text(std::size_t i) const { return c_ == nullptr ? cpp_[i].text : view(c_[i].text, c_[i].text_size); }
    bytes_span out(std::size_t i) const {
        return c_ == nullptr ? cpp_[i].out : bytes_span{static_cast<std::byte*>(c_[i].out), c_[i].out_size};
    }
    void set_result(std::size_t i, status s) const {
        if (c_ == nullptr) {
            cpp_[i].result = s;
        } else {
            c_[i].result = static_cast<hwacha_status>(s);
        }
    }

    // Null with a size above 0.
    bool null(std::size_t i) const {
        if (c_ == nullptr) return false;
        const auto bad = [](const void* p, std::size_t n) { return p == nullptr && n != 0; };
        const hwacha_lea_gcm_record& r = c_[i];
        return bad(r.nonce, r.nonce_size) || bad(r.aad, r.aad_size) || bad(r.text, r.text_size) ||
               bad(r.out, r.out_size);
    }
    bytes_view memory() const {
        return c_ == nullptr ? std::as_bytes(std::span(cpp_, count_)) : std::as_bytes(std::span(c_, count_));
    }

    // For batch_portions: a portion is known by its first record and their number.
    using slot = char;
    std::size_t part(std::size_t, std::size_t count, slot*) const { return count; }
    std::size_t size(std::size_t i) const { return aad(i).size() + text(i).size(); }

  private:
    static bytes_view view(const void* p, std::size_t n) { return {static_cast<const std::byte*>(p), n}; }

    lea_gcm_record* cpp_ = nullptr;
    hwacha_lea_gcm_record* c_ = nullptr;
    std::size_t count_;
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

status seal_records(const gcm_key_list& keys, const gcm_record_list& records, const batch_options& options);
status open_records(const gcm_key_list& keys, const gcm_record_list& records, const batch_options& options);

}  // namespace hwacha
