// Fuzz target of formats: the first part of the input is a title from outside, the rest a format.
#include <stdint.h>

#include "common/style.h"
#include "common/utf8.h"
#include "tests/format_outside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t title_len = size < 2 ? 0 : MIN_OF((size_t)data[0] % 32, size - 1);
    outside_begin();
    free(pane.title);
    pane.title = xstrndup(size < 2 ? "" : (const char *)data + 1, title_len);
    char *format = size < 2 ? xstrdup("") : xstrndup((const char *)data + 1 + title_len,
                                                     size - 1 - title_len);
    struct format_context ctx = {.client = &client, .winlink = &winlink, .pane = &pane};
    free(format_expand(&ctx, format));
    free(format_expand_time(&ctx, format));

    ctx.is_status = true;
    char *line = format_expand(&ctx, format);
    if (!utf8_is_valid(line, strlen(line)))
        abort();
    // Control bytes only as the two ends of a time field, one after the other.
    char open = 0;
    for (const char *s = line; *s != '\0'; s++) {
        if (*s == STATUS_TIME || *s == STATUS_TIME_END) {
            if ((*s == STATUS_TIME) == (open == STATUS_TIME))
                abort();
            open = *s;
        } else if ((unsigned char)*s < 0x20) {
            abort();
        }
    }
    if (open == STATUS_TIME)
        abort();
    free(line);
    free(format);
    outside_end();
    return 0;
}
