// Everything at once.
#pragma once

#include <hwacha/hwacha.h>
#include <hwacha/bytes.hpp>
#include <hwacha/cmac_lea.hpp>
#include <hwacha/cpu.hpp>
#include <hwacha/executor.hpp>
#include <hwacha/gmac_lea.hpp>
#include <hwacha/hmac_lsh.hpp>
#include <hwacha/kdf.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/lea_batch.hpp>
#include <hwacha/lea_ccm.hpp>
#include <hwacha/lea_gcm.hpp>
#include <hwacha/lea_modes.hpp>
#include <hwacha/lsh.hpp>
#include <hwacha/lsh_batch.hpp>
#include <hwacha/random.hpp>
#include <hwacha/selftest.hpp>
#include <hwacha/status.hpp>
