// The functions of hwacha/lsh_batch.hpp for messages in any layout: what the C++ and the C interface have in common.
#pragma once

#include <hwacha/lsh_batch.hpp>

#include "batch/messages.hpp"

namespace hwacha {

status hash_messages(lsh_variant v, const message_list& messages, bytes_span digests, const batch_options& options);
status hmac_messages(lsh_variant v, bytes_view key, const message_list& messages, bytes_span macs,
                     const batch_options& options);
status hmac_messages(lsh_variant v, const message_list& keys, const message_list& messages, bytes_span macs,
                     const batch_options& options);

// As many streams as there are pieces, wherever they are.
struct stream_list {
    const void* list;
    lsh* (*at)(const void* list, std::size_t i);
};
status update_streams(stream_list streams, const message_list& pieces, const batch_options& options);

}  // namespace hwacha
