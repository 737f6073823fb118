#include "crypt/opened.hpp"

#include <algorithm>

#include <hwacha/executor.hpp>

#include "commands.hpp"
#include "crypt/passphrase.hpp"
#include "crypt/pipeline.hpp"

namespace hwacha::tool {

using namespace crypt;

int reporting(diagnostics& err, const std::function<int()>& command) {
    try {
        return command();
    } catch (const file_fault& e) {
        err.report("{}", e.what());
        return exit_failed;
    } catch (const usage_refused& e) {
        err.report("{}", printable(e.what()));
        return exit_usage;
    } catch (const system_failure& e) {
        err.report("{}: {}", printable(e.what()), error_text(e.error()));
        return exit_io;
    }
}

opened_file::opened_file(source& file) {
    std::vector<std::byte> first(1);
    first.resize(file.read(first));
    const bool binary = first.empty() || first[0] == std::byte{magic[0]};
    rewound_ = std::make_unique<rewound_source>(std::move(first), file);
    inside_ = rewound_.get();
    if (!binary) {
        armor_ = std::make_unique<armor_source>(*rewound_);
        inside_ = armor_.get();
    }
    kept_ = std::make_unique<kept_bytes>(*inside_);
    head_ = read_head(*kept_);
    if (armor_ && armor_->type() != head_.type) {
        throw file_fault(fault::bad_armor, "has damaged armor: inside is " + std::string(to_string(head_.type)) +
                                               ", and its BEGIN line says something else");
    }
}

credentials::credentials(const crypt_options& options) : options_(options) {
    for (const std::string& name : options.key_files) {
        naming(name, [&] { read_key_file(name); });
    }
    for (const int descriptor : options.passphrase_descriptors) {
        if (descriptor == 0 && options.input == "-") {
            throw usage_refused("standard input cannot be both the input and the passphrase");
        }
        holders_.passphrases.push_back(read_passphrase(descriptor));
    }
    for (const std::string& name : options.passphrase_files) {
        if (name == "-" && options.input == "-") {
            throw usage_refused("standard input cannot be both the input and the passphrase");
        }
        files_.emplace_back();
        holders_.passphrases.push_back(read_passphrase_file(name, files_.back()));
    }
    for (const std::string& name : options.passphrase_variables) {
        holders_.passphrases.push_back(passphrase_of_variable(name));
    }
}

void credentials::read_key_file(const std::string& name) {
    if (name == "-" && options_.input == "-") {
        throw usage_refused("standard input cannot be both the input and a key");
    }
    file_source file(name);
    files_.push_back(file.identity());
    opened_file opened(file);
    if (opened.head().type == file_type::secret_key) {
        holders_.keys.push_back(read_secret_key(opened.kept(), opened.head(), opened.rest()).key);
        return;
    }
    protected_key key;
    key.name = name;
    key.header = read_header(opened.kept(), opened.head());
    if (std::ranges::none_of(key.header.slots, [](const slot& s) { return s.is(slot_type::passphrase); })) {
        throw file_fault(fault::not_ours, "is an encrypted file without a slot for a passphrase, not a secret key");
    }
    key.payload = secret_buffer(largest_key_file + tag_size + 1);
    key.size = read_fully(opened.rest(), key.payload.bytes());
    if (key.size == key.payload.size()) {
        throw file_fault(fault::not_ours, "is an encrypted file of more than 4096 bytes, not a secret key");
    }
    protected_.push_back(std::move(key));
}

void credentials::open_protected(const protected_key& key) {
    crypt::holders given;
    for (const secret_buffer& p : holders_.passphrases) given.passphrases.emplace_back(p.bytes());
    const file_key opened = find_file_key(key.header, given, options_.most_iterations);
    secret_buffer plain(key.size);
    memory_source from(key.payload.bytes().first(key.size));
    memory_sink to(plain.bytes());
    std::size_t size = 0;
    pipeline_options alone;
    alone.wrote = [&](std::size_t n) { size += n; };
    open_payload(chunk_cipher(key.header.bytes, opened), key.header.chunk_size(), from, to, key.header.bytes.size(),
                 alone);
    memory_source inside(plain.bytes().first(size));
    kept_bytes kept(inside);
    container_head head = read_head(kept);
    if (head.type != file_type::secret_key) throw file_fault(fault::not_ours, "has no secret key in it");
    holders_.keys.push_back(read_secret_key(kept, std::move(head), inside).key);
}

void credentials::complete(bool anew) {
    const bool for_keys = !protected_.empty();
    if (options_.ask || (for_keys && holders_.passphrases.empty())) {
        const std::string prompt = for_keys ? "Passphrase of " + printable(protected_.front().name) : "Passphrase";
        holders_.passphrases.push_back(ask_passphrase(prompt, anew && !for_keys));
    }
    if (!for_keys) return;
    for (const protected_key& key : protected_) {
        naming(key.name, [&] { open_protected(key); });
    }
    protected_.clear();
    holders_.passphrases.clear();
}

std::size_t threads_of(const crypt_options& options) {
    return options.threads != 0 ? options.threads : usable_processors();
}

}  // namespace hwacha::tool
