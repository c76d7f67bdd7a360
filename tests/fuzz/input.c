// Fuzz target: any bytes, cut anywhere, through the decoder of terminal input.
#include "config.h"

#include <stdlib.h>

#include "client/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_key(void *arg, key_code key, const void *raw, size_t raw_len)
{
    (void)arg;
    (void)raw;
    // A key's name must be writable whatever came, and its bytes fit a message.
    if (key_to_name(key)[0] == '\0' || raw_len == 0 || raw_len > 200)
        abort();
}

static void on_mouse(void *arg, const struct input_mouse *m)
{
    (void)arg;
    if (m->button > 11 || m->kind > MOUSE_WHEEL_DOWN)
        abort();
}

static void on_paste(void *arg, bool is_first, bool is_last, const void *data, size_t len)
{
    (void)arg;
    (void)is_first;
    (void)is_last;
    (void)data;
    if (len > 200u << 10)
        abort();
}

static void on_focus(void *arg, bool is_in)
{
    (void)arg;
    (void)is_in;
}

static void on_answer(void *arg, const char *name, const char *value)
{
    (void)arg;
    (void)name;
    (void)value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct input_events events = {on_key, on_mouse, on_paste, on_focus, on_answer};
    struct input *in = input_new(&events, NULL);
    int64_t now = 1000;
    // The first byte says how the rest is cut, and when the escape time passes.
    size_t piece = size > 0 ? data[0] % 17 + 1 : 1;
    for (size_t at = 1; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        input_feed(in, data + at, n, now);
        now += 1000;
        if (data[at] & 1)
            input_expire(in);
    }
    input_expire(in);
    input_free(in);
    return 0;
}
