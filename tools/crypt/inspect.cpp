#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "crypt/cleanup.hpp"
#include "crypt/opened.hpp"
#include "crypt/payload.hpp"
#include "crypt/run.hpp"

namespace hwacha::tool {
namespace {

using namespace crypt;

struct facts {
    const header& head;
    bool armored;
    std::uint64_t payload;  // bytes
    std::uint64_t chunks;
    std::string why_not_whole;  // empty: its size says nothing against it
    bool authentic = false;     // its MAC was verified

    std::uint64_t content() const { return payload - std::min(payload, chunks * tag_size); }
};

facts find_facts(const header& head, opened_file& file) {
    facts f{head, file.armored(), 0, 0, {}};
    secret_buffer room(std::size_t{1} << 16);
    while (const std::size_t size = file.rest().read(room.bytes())) f.payload += size;
    const std::uint64_t chunk = head.chunk_size() + tag_size;
    f.chunks = std::max<std::uint64_t>(1, (f.payload + chunk - 1) / chunk);
    const std::uint64_t tail = f.payload - (f.chunks - 1) * chunk;
    if (tail < tag_size || (tail == tag_size && f.chunks > 1)) {
        f.why_not_whole = fmt::format("is truncated at byte {}, or has bytes after its end: chunk {} has {} bytes",
                                      head.bytes.size() + f.payload, f.chunks, tail);
    } else if (f.chunks > most_chunks) {
        f.why_not_whole = "has more than 2^32 chunks";
    }
    return f;
}

std::string name_of(const slot& s) {
    if (s.is(slot_type::passphrase)) return "passphrase";
    return s.is(slot_type::key) ? "key" : "unknown";
}

std::string as_text(const facts& f) {
    std::string text = "encrypted file, version 1, suite 1 (LEA-256-GCM, HMAC-LSH)\n";
    text += fmt::format("form:     {}\n", f.armored ? "armored" : "binary");
    if (!f.head.comment.empty()) text += fmt::format("comment:  {}  (by whoever made the file)\n", f.head.comment);
    for (const slot& s : f.head.slots) {
        text += fmt::format("slot:     {}", name_of(s));
        if (s.is(slot_type::passphrase)) {
            text += fmt::format(", PBKDF2-HMAC-LSH-512-512, {} iterations", s.iterations());
        } else if (!s.is(slot_type::key)) {
            text += fmt::format(" (type {}), not critical", s.type);
        }
        text += '\n';
    }
    text += fmt::format("header:   {} bytes, check sum fits, MAC {}\n", f.head.bytes.size(),
                        f.authentic ? "fits" : "not checked (that takes a key or passphrase)");
    text += fmt::format("payload:  {} bytes in {} chunk{} of {} bytes, not verified\n", f.payload, f.chunks,
                        f.chunks == 1 ? "" : "s", f.head.chunk_size());
    if (f.why_not_whole.empty()) text += fmt::format("content:  {} bytes\n", f.content());
    return text;
}

std::string as_json(const facts& f) {
    nlohmann::json slots = nlohmann::json::array();
    for (const slot& s : f.head.slots) {
        nlohmann::json j = {{"type", s.type}, {"kind", name_of(s)}};
        if (s.is(slot_type::passphrase)) j["iterations"] = s.iterations();
        slots.push_back(std::move(j));
    }
    nlohmann::json j = {{"type", "encrypted file"},
                        {"version", 1},
                        {"suite", 1},
                        {"armored", f.armored},
                        {"comment", f.head.comment},
                        {"slots", slots},
                        {"header_bytes", f.head.bytes.size()},
                        {"chunk_size", f.head.chunk_size()},
                        {"chunks", f.chunks},
                        {"payload_bytes", f.payload},
                        {"header_authentic", f.authentic ? nlohmann::json(true) : nlohmann::json()},
                        {"size_plausible", f.why_not_whole.empty()}};
    if (f.why_not_whole.empty()) j["content_bytes"] = f.content();
    return j.dump(1) + '\n';
}

void show_key(const secret_key& key, bool armored, bool json, output& out) {
    if (json) {
        const nlohmann::json j = {{"type", "secret key"}, {"version", 1},           {"kind", 1},
                                  {"armored", armored},   {"comment", key.comment}, {"protected", false}};
        out.write(j.dump(1) + '\n');
        return;
    }
    out.write(fmt::format("secret key, version 1, kind 1 (symmetric, 256 bits), not under a passphrase\nform:     {}\n",
                          armored ? "armored" : "binary"));
    if (!key.comment.empty()) out.write(fmt::format("comment:  {}  (by whoever made the file)\n", key.comment));
}

}  // namespace

int run_inspect(const crypt_options& options, output& out, diagnostics& err) {
    return reporting(err, [&] {
        handle_signals();
        credentials given(options);
        file_source from(options.input);
        return naming(from.name(), [&] {
            opened_file opened(from);
            if (opened.head().type == file_type::secret_key) {
                show_key(read_secret_key(opened.kept(), opened.head(), opened.rest()), opened.armored(), options.json,
                         out);
                return exit_done;
            }
            const header head = read_header(opened.kept(), opened.head());
            given.complete(false);
            const bool verify = !given.empty();
            if (verify) find_file_key(head, given.holders(), options.most_iterations);
            facts f = find_facts(head, opened);
            f.authentic = verify;
            out.write(options.json ? as_json(f) : as_text(f));
            if (!f.why_not_whole.empty()) throw file_fault(fault::truncated, f.why_not_whole);
            return exit_done;
        });
    });
}

}  // namespace hwacha::tool
