// The protocol's version in this build. Versions one apart understand each other.
#ifndef AMUX_COMMON_VERSION_H
#define AMUX_COMMON_VERSION_H

#include <stdint.h>

// The newest version that this build speaks, and the oldest that it understands. Variables, and
// alone in their file, so that the tests can build an amux of another version from the same objects.
extern const uint32_t protocol_version, protocol_version_min;

#endif
