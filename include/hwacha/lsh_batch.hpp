// Many messages at once: LSH and HMAC-LSH (KS X 3262) with one message in each lane of the vector registers, and on as
// many threads as are lent.
#pragma once

#include <cstddef>
#include <cstdint>
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
    // time. False cancels what has not begun; after the last message it changes nothing. It must not throw.
    std::function<bool(std::size_t done)> progress = {};
};

// Every function takes its messages (keys, pieces) in one of two layouts:
//   - a list of views;
//   - the binary arrays of Apache Arrow: message i is the bytes offsets[i] to offsets[i + 1] of `data`, so there is one
//     offset more than messages; no offsets at all are no messages, too. Offsets need not start at 0 or end with the
//     data. bad_offsets: one is negative or less than that before it, or the last lies beyond the data. An array's
//     bitmap of nulls is for the caller to look at: what is null has a length as well, as a rule 0.
// Nothing is allocated but by the executor, and nothing is written before all has been looked at. 64 KiB of stack are
// enough, in each thread.
//
// What may come of a batch that was not refused:
//   cancelled        by `progress`. What had begun is there; digests of other messages are zeros, other streams
//   unchanged. executor_failed  the executor returned without having called its tasks; what is missing is as above.
// An exception of executor::run passes through, with the same result.

// The digests of `messages`, of any number and any lengths, to the start of `digests`, one after the other and in
// order: digest i at byte i * digest_size. The same bytes as lsh::hash of each message.
//
// unknown_algorithm: `v` is none of the six. buffer_too_small: `digests` has fewer bytes than digests are to come.
// overlap: the digests would lie over a message, or over the list of views or offsets. In these cases nothing happened.
[[nodiscard]] HWACHA_API status hash_batch(lsh_variant v, std::span<const bytes_view> messages, bytes_span digests,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status hash_batch(lsh_variant v, bytes_view data, std::span<const std::int32_t> offsets,
                                           bytes_span digests, const batch_options& options = {});
[[nodiscard]] HWACHA_API status hash_batch(lsh_variant v, bytes_view data, std::span<const std::int64_t> offsets,
                                           bytes_span digests, const batch_options& options = {});

// The same for HMAC-LSH, all messages under one key. The macs must not lie over the key either.
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key, std::span<const bytes_view> messages,
                                           bytes_span macs, const batch_options& options = {});
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key, bytes_view data,
                                           std::span<const std::int32_t> offsets, bytes_span macs,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key, bytes_view data,
                                           std::span<const std::int64_t> offsets, bytes_span macs,
                                           const batch_options& options = {});

// Message i under key i, of any lengths; wrong_count: not as many keys as messages.
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, std::span<const bytes_view> keys,
                                           std::span<const bytes_view> messages, bytes_span macs,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key_data,
                                           std::span<const std::int32_t> key_offsets, bytes_view data,
                                           std::span<const std::int32_t> offsets, bytes_span macs,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status hmac_batch(lsh_variant v, bytes_view key_data,
                                           std::span<const std::int64_t> key_offsets, bytes_view data,
                                           std::span<const std::int64_t> offsets, bytes_span macs,
                                           const batch_options& options = {});

// Appends piece i to streams[i], all of them at once; as streams[i]->update(piece) in a loop. The streams are different
// objects of any variants, none finished (finished streams are left alone, as update does). wrong_count: not as many
// pieces as streams; nothing happened.
[[nodiscard]] HWACHA_API status update_batch(std::span<lsh* const> streams, std::span<const bytes_view> pieces,
                                             const batch_options& options = {});
[[nodiscard]] HWACHA_API status update_batch(std::span<lsh* const> streams, bytes_view data,
                                             std::span<const std::int32_t> offsets, const batch_options& options = {});
[[nodiscard]] HWACHA_API status update_batch(std::span<lsh* const> streams, bytes_view data,
                                             std::span<const std::int64_t> offsets, const batch_options& options = {});

}  // namespace hwacha
