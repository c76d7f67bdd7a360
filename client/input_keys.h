// Control sequences that keys send, as xterm and its relatives form them.
#ifndef AMUX_CLIENT_INPUT_KEYS_H
#define AMUX_CLIENT_INPUT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/key.h"

#define CSI_MAX_PARAMS 8
struct csi {
    uint8_t mark; // '<', '=', '>' or '?' before the parameters; 0: none
    bool has_intermediate;
    unsigned n; // parameters given
    unsigned value[CSI_MAX_PARAMS]; // 0 where empty; at most 0x1FFFFF
};
// Parses what stands between CSI and the final byte. Sub-parameters (after ':') are passed over.
void csi_parse(struct csi *csi, const uint8_t *params, size_t len);
// KEY_UNKNOWN if it is no key.
key_code csi_to_key(const struct csi *csi, uint8_t final);
key_code ss3_to_key(uint8_t final);

#endif
