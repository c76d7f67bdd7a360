// The protocol's version in this build.
#include "common/version.h"

const uint32_t protocol_version = 1, protocol_version_min = 1;
