// CMAC and GMAC. Keys and messages are secret; nonces and lengths are public.
#include <hwacha/cmac_lea.hpp>
#include <hwacha/gmac_lea.hpp>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

void cmac_case(run& r) {
    for (const std::size_t n : key_sizes) {
        cmac_lea m(r.secret(n, 70));
        for (const std::size_t size : text_sizes) {
            bytes mac(16);
            m.reset();
            r.publish(m.update(r.secret(size, 71)).update(r.secret(size / 3, 72)).finish(mac));
            r.publish(mac);
        }
    }
}

void cmac_verify_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        cmac_lea m(r.secret(n, 73), {.mac_size = 12});
        bytes mac(12);
        r.publish(m.update(r.secret(77, 74)).finish(mac));
        reveal(mac);
        if (!good) mac.back() ^= std::byte{0x10};
        m.reset();
        r.publish(m.update(r.secret(77, 74)).verify(mac));
    }
}

void gmac_case(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 75));
        for (const std::size_t size : text_sizes) {
            gmac_lea m(key, test::pattern(20));
            r.publish(m.update(r.secret(size, 76)));
            r.publish(m.update(r.secret(size / 3, 77)));
            bytes mac(16);
            r.publish(m.finish(mac));
            r.publish(mac);
        }
    }
}

void gmac_verify_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 78));
        bytes mac(16);
        r.publish(gmac_lea::mac(key, test::pattern(12), r.secret(77, 79), mac));
        reveal(mac);
        if (!good) mac.front() ^= std::byte{0x10};
        gmac_lea m(key, test::pattern(12));
        r.publish(m.update(r.secret(77, 79)));
        r.publish(m.verify(mac));
        r.publish(gmac_lea::verify(key, test::pattern(12), r.secret(77, 79), mac));
    }
}

constexpr named_case cases[] = {
    {"cmac-lea", cmac_case},
    {"cmac-lea-verify-good", [](run& r) { cmac_verify_case(r, true); }},
    {"cmac-lea-verify-bad", [](run& r) { cmac_verify_case(r, false); }},
    {"gmac-lea", gmac_case},
    {"gmac-lea-verify-good", [](run& r) { gmac_verify_case(r, true); }},
    {"gmac-lea-verify-bad", [](run& r) { gmac_verify_case(r, false); }},
};

}  // namespace

std::span<const named_case> mac_cases() {
    return cases;
}

}  // namespace hwacha::ct
