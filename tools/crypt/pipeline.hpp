// Seals and opens payloads as they are read and written, on several threads.
//
// Threads have no fixed parts. Whoever is free writes what comes next, if it is ready; otherwise seals or opens what
// has been read; otherwise reads. One at a time reads, one at a time writes. The calling thread works too and the
// others are started when there is more than one block, so that small files and one thread do without any.
//
// A block is a chunk, or several small ones. It is read into one buffer and leaves from another; the number of buffers
// bounds the memory.
#pragma once

#include <cstdint>
#include <functional>

#include "crypt/payload.hpp"
#include "crypt/stream.hpp"

namespace hwacha::crypt {

struct pipeline_options {
    std::size_t threads = 1;
    // For buffers; more only where the fewest that will do are more: three of the size of a chunk, five for two
    // threads. Fewer threads are started than would find room.
    std::size_t memory = std::size_t{40} << 20;
    // Called with the number of bytes that were written, by one thread at a time.
    std::function<void(std::size_t)> wrote = {};
};

// Reads to the end of `from`. Throws system_failure, file_fault (too_long, or what `from` throws).
void seal_payload(const chunk_cipher& cipher, std::size_t chunk_size, source& from, sink& to,
                  const pipeline_options& options = {});

// Only chunks that were verified are written, each after all before it (a sink that lends its memory may hold others
// beyond them, and zeros). Throws also file_fault: truncated, chunk_altered, trailing, malformed. `from_offset`: where
// the payload begins in the file, for messages.
void open_payload(const chunk_cipher& cipher, std::size_t chunk_size, source& from, sink& to, std::uint64_t from_offset,
                  const pipeline_options& options = {});

}  // namespace hwacha::crypt
