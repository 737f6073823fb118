// Faults that others had: CMAC. The identifiers name rows of the project's list of known pitfalls.
#include "support/mac.hpp"

namespace hwacha::test {
namespace {

// B21, appendix S-3: a first piece of whole blocks must not be taken for the end.
TEST(CasesMac, B21_CmacSplits) {
    struct row {
        std::size_t size;
        const char* mac;
    };
    constexpr row rows[] = {
        {0, "e7dfd6e7ee02523ee46ddda92d616d37"},   {1, "f02ec60626fe809fb316f8290a96e7be"},
        {15, "7dbf96cb74256c2de222daef11fc80d7"},  {16, "2b830568abb9bb087d002bcff63cb7ed"},
        {17, "0049a758582646baf5d00e076b73b54e"},  {32, "b4b27196b60aec861b40c8417d02a722"},
        {112, "a35c66294fab1f1472dcc8fbc2b0230d"},
    };
    const bytes key = counting(16);
    for (const row& r : rows) {
        const bytes data = pattern(r.size);
        const bytes expected = from_hex(r.mac);
        check_bytes(expected, cmac(key, data), r.size, " bytes");
        check_bytes(expected, plain_cmac(key, data), r.size, " bytes, plain arithmetic");
        for (std::size_t split = 0; split <= r.size; ++split) {
            cmac_lea m(key);
            bytes out(16);
            m.update(bytes_view(data).first(split)).update(bytes_view(data).subspan(split));
            check(m.finish(out) == status::ok, r.size, " bytes split at ", split);
            check_bytes(expected, out, r.size, " bytes split at ", split);
        }
    }
}

}  // namespace
}  // namespace hwacha::test
