// The papers' forms that run here, and whole hashes by them.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "cpu/registry.hpp"
#include "lsh/chaining.hpp"
#include "lsh/definition.hpp"
#include "paper/forms.hpp"

namespace hwacha::bench {

inline std::vector<const paper_table*> paper_tables() {
    constexpr const paper_table* built[] = {
#ifdef HWACHA_HAVE_PAPER000_AVX512
        &paper000_avx512,
#endif
#ifdef HWACHA_HAVE_PAPER003_SSSE3
        &paper003_ssse3,
#endif
#ifdef HWACHA_HAVE_PAPER003_NEON
        &paper003_neon,
#endif
        &paper003_portable,
    };
    std::vector<const paper_table*> usable;
    for (const paper_table* t : built) {
        if (judge(t->head, cpu::detected(), {}) == cpu::verdict::usable) usable.push_back(t);
    }
    return usable;
}

template <class Word>
std::span<const paper_form<Word>> forms_of(const paper_table& t) {
    if constexpr (sizeof(Word) == 4) {
        return {t.forms256, t.count256};
    } else {
        return {t.forms512, t.count512};
    }
}

// "003, four lanes, neon"
template <class Word>
std::string label(const paper_table& t, const paper_form<Word>& f) {
    const std::string name = std::string(t.paper) + ", " + f.name;
    return t.head.at == cpu::level::portable || t.head.at == cpu::level::avx512 ? name : name + ", " + t.head.name();
}

inline constexpr std::size_t most_paper_messages = 4;

// The digests of form.messages messages of `size` bytes, one after the other.
template <class Word>
void hash_at_once(const lsh_info& v, const paper_form<Word>& form, const std::uint8_t* const* messages,
                  std::size_t size, std::byte* digests) {
    constexpr std::size_t block_size = 32 * sizeof(Word);
    Word cv[most_paper_messages][16];
    Word* cvs[most_paper_messages];
    std::uint8_t last[most_paper_messages][block_size];
    const std::uint8_t* ends[most_paper_messages];
    const std::size_t rest = size % block_size;
    for (std::size_t i = 0; i < form.messages; ++i) {
        cvs[i] = cv[i];
        std::memcpy(cv[i], lsh_initial_value_of(v), sizeof cv[i]);
        if (rest != 0) std::memcpy(last[i], messages[i] + (size - rest), rest);
        last[i][rest] = 0x80;
        std::memset(last[i] + rest + 1, 0, block_size - rest - 1);
        ends[i] = last[i];
    }
    form.compress(cvs, messages, size / block_size);
    form.compress(cvs, ends, 1);
    for (std::size_t i = 0; i < form.messages; ++i) write_digest(cv[i], digests + i * v.digest_size, v.digest_size);
}

}  // namespace hwacha::bench
