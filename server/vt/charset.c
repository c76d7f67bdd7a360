// Character sets: designation by SCS, and the DEC special graphics.
#include "server/vt/state.h"

// From 0x5f to 0x7e (VT100 user guide, table 3-9).
const uint16_t vt_graphics[32] = {
    0x00A0, 0x25C6, 0x2592, 0x2409, 0x240C, 0x240D, 0x240A, 0x00B0, 0x00B1, 0x2424, 0x240B,
    0x2518, 0x2510, 0x250C, 0x2514, 0x253C, 0x23BA, 0x23BB, 0x2500, 0x23BC, 0x23BD, 0x251C,
    0x2524, 0x2534, 0x252C, 0x2502, 0x2264, 0x2265, 0x03C0, 0x2260, 0x00A3, 0x00B7,
};

void vt_designate(struct vt *vt, unsigned g, char set)
{
    enum charset c = CHARSET_ASCII;

    if (set == '0' || set == '2')
        c = CHARSET_GRAPHICS;
    else if (set == 'A')
        c = CHARSET_UK;
    vt->charsets[g & 3] = (uint8_t)c;
}
