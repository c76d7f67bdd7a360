// An amux of the next protocol version, for the tests: it understands this one.
#include "common/version.h"

const uint32_t protocol_version = 2, protocol_version_min = 1;
