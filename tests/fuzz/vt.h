// The entry that libFuzzer and the test over fixed seeds call.
#ifndef AMUX_TESTS_FUZZ_VT_H
#define AMUX_TESTS_FUZZ_VT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
