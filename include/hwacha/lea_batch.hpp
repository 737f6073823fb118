// Many messages at once with LEA-GCM (KS X 3246, NIST SP 800-38D): blocks of several messages side by side in the
// vector registers, and as many threads as are lent.
#pragma once

#include <cstddef>
#include <span>

#include <hwacha/bytes.hpp>
#include <hwacha/executor.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/lea_gcm.hpp>
#include <hwacha/lsh_batch.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// Records may have any lengths, in any mix. The bytes are those of a loop that takes one record after the other.
// Records of up to 512 bytes gain, with nonces of 12 bytes, where others under the same key have as many blocks
// (docs/KERNELS.md); the rest costs what it costs by itself. Nothing is allocated but by the executor. 64 KiB of stack
// are enough, in each thread.
//
// Every record is looked at before anything else happens. If something is wrong with one, the batch is refused: no
// output is touched, the status is that of the first bad record, the bad ones have it as their `result` and the others
// `cancelled`. Otherwise `result` says what became of each. cancelled (by `progress`), executor_failed: records that
// had not begun have the result `cancelled` and their outputs are untouched. An exception of executor::run passes
// through, with the same results.
//
// Overlap: a record's output may start exactly where its text starts (in place); any other overlap with an input of the
// same record, or with the list of records, is refused (overlap). The output of one record must not lie over any input
// or output of another: this is not checked.

struct lea_gcm_record {
    bytes_view nonce;  // 1 byte or more; 12 are the fast and recommended length
    bytes_view aad;
    bytes_view text;                    // seal: the plaintext; open: ciphertext and tag, as seal wrote them
    bytes_span out;                     // seal: room for text.size() + tag_size bytes; open: for tag_size fewer
    status result = status::cancelled;  // written
};

// As key.seal of each record, or keys[i]->seal of record i (keys of any sizes and tag sizes, the same one several times
// if need be; wrong_count: not as many keys as records, nothing happened). A nonce must never be used twice under one
// key, within a batch either.
[[nodiscard]] HWACHA_API status seal_batch(const lea_gcm& key, std::span<lea_gcm_record> records,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status seal_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                                           const batch_options& options = {});

// As open of each record. A record that is not authentic (or shorter than a tag) has the result auth_failed, and zeros
// where its plaintext would be, in place too; it does not keep others from being opened. The status is auth_failed if
// there is such a record and nothing else was wrong.
[[nodiscard]] HWACHA_API status open_batch(const lea_gcm& key, std::span<lea_gcm_record> records,
                                           const batch_options& options = {});
[[nodiscard]] HWACHA_API status open_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                                           const batch_options& options = {});

}  // namespace hwacha
