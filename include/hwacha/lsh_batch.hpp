// Many messages at once: LSH and HMAC-LSH (KS X 3262) with one message in each lane of the vector registers, and on as
// many threads as are lent.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <hwacha/bytes.hpp>
#include <hwacha/executor.hpp>
#include <hwacha/lsh.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

struct batch_options {
    // Null: the calling thread alone.
    executor* threads = nullptr;
    // If given: called now and then with the number of messages done so far, by any of the threads but by one at a
    // time. False cancels what has not begun. It must not throw.
    std::function<bool(std::size_t done)> progress = {};
};

// The digests of `messages`, of any number and any lengths, to the start of `digests`, one after the other and in
// order: digest i at byte i * digest_size. The same bytes as lsh::hash of each message. No allocation but the
// executor's.
//
// unknown_algorithm: `v` is none of the six. buffer_too_small: `digests` has fewer than messages.size() * digest_size
// bytes. overlap: the digests would lie over a message. In these cases nothing happened. cancelled: by `progress`;
// digests of messages that were not hashed are zeros.
[[nodiscard]] HWACHA_API status hash_batch(lsh_variant v, std::span<const bytes_view> messages, bytes_span digests,
                                           const batch_options& options = {});

// The same for HMAC-LSH: all messages under one key, or message i under keys[i] (wrong_count unless there are as many).
// Keys of any length; the macs must not lie over them either.
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key, std::span<const bytes_view> messages,
                                           bytes_span macs, const batch_options& options = {});
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, std::span<const bytes_view> keys,
                                           std::span<const bytes_view> messages, bytes_span macs,
                                           const batch_options& options = {});

// Appends pieces[i] to streams[i], all of them at once; as streams[i]->update(pieces[i]) in a loop. The streams are
// different objects of any variants, none finished (finished streams are left alone, as update does). wrong_count: not
// as many pieces as streams; nothing happened.
[[nodiscard]] HWACHA_API status update_batch(std::span<lsh* const> streams, std::span<const bytes_view> pieces,
                                             const batch_options& options = {});

}  // namespace hwacha
