// LSH-256-256 as the library's module offers it, but every kernel compresses 8 % of its blocks twice: a slow-down of a
// known size for tests of bench/compare.
#include <string>

#include <hwacha/lsh.hpp>

#include "lsh/access.hpp"
#include "peers/module.hpp"

namespace hwacha::bench {
namespace {

constexpr std::size_t percent = 8;

const lsh256_table* real = nullptr;

void compress_with_detour(std::uint32_t* cv, const std::uint8_t* blocks, std::size_t count) {
    std::uint32_t scratch[16] = {};
    real->compress(scratch, blocks, count * percent / 100);
    real->compress(cv, blocks, count);
}

struct hashing {
    const lsh256_table& kernel;
    lsh256_table detour;
    lsh h;

    explicit hashing(const lsh256_table& t)
        : kernel(t), detour{t.head, compress_with_detour}, h(lsh_variant::lsh256_256) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        real = &kernel;
        lsh_access::use(h, detour);
        const bytes_view text(reinterpret_cast<const std::byte*>(input), length);
        if (h.update(text).finish({reinterpret_cast<std::byte*>(output), length + HWACHA_PEER_ROOM}) != status::ok)
            return -1;
        h.reset();
        return static_cast<long>(h.digest_size());
    }
};

}  // namespace

facts about_module() {
    return {"hwacha", hwacha_version(), HWACHA_COMPILER, HWACHA_FLAGS};
}

void add_operations(operation_list& all) {
    for (const lsh256_table* t : lsh256_tables.tables()) {
        if (judge(t->head, cpu::detected(), {}) == cpu::verdict::usable) {
            all.add<hashing>("LSH-256-256", t->head.name(), *t);
        }
    }
}

}  // namespace hwacha::bench
