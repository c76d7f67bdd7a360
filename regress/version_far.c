// An amux of a far protocol version, for the tests: it does not understand this one.
#include "common/version.h"

const uint32_t protocol_version = 9, protocol_version_min = 8;
