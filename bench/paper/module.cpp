// The papers' forms as a module: one message at a time, and batches of equal messages that they divide evenly.
#include "peers/module.hpp"
#include "paper/paper.hpp"
#include "peers/division.hpp"

namespace hwacha::bench {
namespace {

template <class Word>
struct hashing {
    const lsh_info& variant;
    const paper_form<Word>& form;
    std::size_t count;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % count != 0) return -1;
        const std::size_t size = length / count;
        auto* digests = reinterpret_cast<std::byte*>(output);
        for (std::size_t i = 0; i < count; i += form.messages, digests += form.messages * variant.digest_size) {
            const std::uint8_t* messages[most_paper_messages];
            for (std::size_t m = 0; m < form.messages; ++m, input += size) messages[m] = input;
            hash_at_once(variant, form, messages, size, digests);
        }
        return static_cast<long>(count * variant.digest_size);
    }
};

template <class Word>
void add_forms(operation_list& all, const paper_table& t, const lsh_info& v) {
    const std::string name(v.name);
    for (const paper_form<Word>& f : forms_of<Word>(t)) {
        const auto add = [&](const std::string& operation, std::size_t count) {
            all.add<hashing<Word>>(operation, label(t, f), hashing<Word>{v, f, count});
        };
        if (f.messages == 1) add(name, 1);
        for (const batch_shape& shape : batch_shapes) {
            const bool equal = shape.lengths == division::lengths::equal;
            if (equal && shape.count % f.messages == 0) add(shape.of(name), shape.count);
        }
    }
}

}  // namespace

facts about_module() {
    return {"paper", "our reading", HWACHA_COMPILER, HWACHA_FLAGS};
}

void add_operations(operation_list& all) {
    for (const paper_table* t : paper_tables()) {
        for (const lsh_info& v : lsh_variants()) {
            if (is_lsh256(v)) {
                add_forms<std::uint32_t>(all, *t, v);
            } else {
                add_forms<std::uint64_t>(all, *t, v);
            }
        }
    }
}

}  // namespace hwacha::bench
