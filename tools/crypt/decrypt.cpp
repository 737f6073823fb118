#include <algorithm>

#include <sys/stat.h>

#include "crypt/cleanup.hpp"
#include "crypt/opened.hpp"
#include "crypt/pipeline.hpp"
#include "crypt/progress.hpp"
#include "crypt/run.hpp"

namespace hwacha::tool {
namespace {

using namespace crypt;

// Text only: control characters of a file could command the terminal.
class terminal_sink final : public sink {
  public:
    explicit terminal_sink(sink& to) : to_(to) {}
    void write(bytes_view bytes) override {
        const auto harmful = [](std::byte b) {
            const auto c = std::to_integer<unsigned char>(b);
            return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
        };
        if (std::ranges::any_of(bytes, harmful)) {
            throw usage_refused("the content is not text, and binary output is not for a terminal: give -o FILE");
        }
        to_.write(bytes);
    }

  private:
    sink& to_;
};

}  // namespace

int run_decrypt(const crypt_options& options, diagnostics& err) {
    return reporting(err, [&] {
        if (options.key_files.empty() && !options.has_passphrases()) {
            throw usage_refused("give the key (-k KEYFILE) or ask for the passphrase (-p)");
        }
        handle_signals();
        credentials given(options);
        file_source from(options.input);
        std::vector<file_identity> inputs = given.files();
        if (from.keeps_contents()) inputs.push_back(from.identity());
        output_file to(options.output, options.force, inputs);
        std::uint64_t written = 0;
        try {
            naming(from.name(), [&] {
                opened_file opened(from);
                const header head = read_header(opened.kept(), opened.head());
                given.complete(false);
                const file_key key = find_file_key(head, given.holders(), options.most_iterations);
                const chunk_cipher cipher(head.bytes, key);
                struct stat s;
                const bool sized = from.is_regular() && ::fstat(from.descriptor(), &s) == 0;
                file_progress shown(options.progress, sized ? static_cast<std::uint64_t>(s.st_size) : 0);
                to.open();
                terminal_sink text(to);
                pipeline_options how;
                how.threads = threads_of(options);
                how.wrote = [&](std::size_t n) {
                    written += n;
                    shown.add(n);
                };
                sink& out = to.is_terminal() ? static_cast<sink&>(text) : to;
                open_payload(cipher, head.chunk_size(), opened.rest(), out, head.bytes.size(), how);
            });
        } catch (const file_fault& e) {
            err.report("{}", e.what());
            if (written != 0 && !to.is_new_file()) {
                err.report("{} got the first {} bytes, which were verified; the rest is missing", printable(to.name()),
                           written);
            }
            return exit_failed;
        }
        to.commit();
        return exit_done;
    });
}

}  // namespace hwacha::tool
