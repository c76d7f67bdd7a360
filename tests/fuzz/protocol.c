// Fuzz target: any bytes as messages of either side. What was decoded can be encoded again, and says
// the same then.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A message that this build does not know is passed over, so there is nothing to encode.
static bool is_known(enum message_type type)
{
    return strcmp(message_name(type), "unknown") != 0;
}

static void encode_again(const struct message *m, enum protocol_side from)
{
    struct strbuf once = {0}, twice = {0};
    struct message copy;
    const char *cause = NULL;
    size_t used;

    // A damaged message may leave out its last fields; written whole it can exceed its limit.
    if (!protocol_encode(&once, m->type, &m->u))
        return;
    if (protocol_decode(once.data, once.len, from, &copy, &used, &cause) != DECODE_OK ||
        used != once.len || copy.type != m->type)
        abort();
    if (!protocol_encode(&twice, copy.type, &copy.u) || twice.len != once.len ||
        memcmp(twice.data, once.data, once.len) != 0)
        abort();
    message_free(&copy);
    strbuf_free(&once);
    strbuf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    enum protocol_side from = data[0] & 1 ? FROM_CLIENT : FROM_SERVER;
    for (size_t at = 1; at < size;) {
        // A copy of its own, so that a read beyond it is seen.
        size_t len = size - at, used = 0;
        uint8_t *bytes = malloc(len);
        if (bytes == NULL)
            return 0;
        memcpy(bytes, data + at, len);
        struct message m;
        const char *cause = NULL;
        enum decode_result result = protocol_decode(bytes, len, from, &m, &used, &cause);
        if (result == DECODE_OK) {
            if (used == 0 || used > len)
                abort();
            if (is_known(m.type))
                encode_again(&m, from);
            message_free(&m);
        } else if (result == DECODE_BAD && cause == NULL) {
            abort();
        }
        free(bytes);
        if (result != DECODE_OK)
            break;
        at += used;
    }
    return 0;
}
