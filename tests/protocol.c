// Every message both ways, and damaged ones.
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"

static const char *const words[] = {"TERM=xterm", "", "A=\xff\xfe", NULL};

// Each message of messages.def is filled by its fields' types, encoded, decoded and compared.
static uint64_t next_value = 0x1234567890abcdefull;
static uint64_t value(void)
{
    next_value = next_value * 6364136223846793005ull + 1442695040888963407ull;
    return next_value;
}

#define CLIENT FROM_CLIENT
#define SERVER FROM_SERVER

// Fill.
#define U8(n) m.n = (uint8_t)value();
#define U16(n) m.n = (uint16_t)value();
#define U32(n) m.n = (uint32_t)value();
#define U64(n) m.n = value();
#define I32(n) m.n = -(int32_t)(value() & 0xffff);
#define STR(n) m.n = "text of " #n;
#define BYTES(n) m.n = (struct wire_span){"\0\1\2" #n, (uint32_t)strlen(#n) + 3};
#define STRV(n) m.n = words;
#define MESSAGE(name, number, from, max, fields)                \
    static void fill_##name(struct msg_##name *out)             \
    {                                                           \
        struct msg_##name m;                                    \
        memset(&m, 0, sizeof m);                                \
        fields *out = m;                                        \
    }
#include "common/messages.def"
#undef MESSAGE
#undef U8
#undef U16
#undef U32
#undef U64
#undef I32
#undef STR
#undef BYTES
#undef STRV

// Compare.
#define U8(n) ck_assert_uint_eq(a->n, b->n);
#define U16(n) ck_assert_uint_eq(a->n, b->n);
#define U32(n) ck_assert_uint_eq(a->n, b->n);
#define U64(n) ck_assert_uint_eq(a->n, b->n);
#define I32(n) ck_assert_int_eq(a->n, b->n);
#define STR(n) ck_assert_str_eq(a->n, b->n);
#define BYTES(n)                             \
    ck_assert_uint_eq(a->n.len, b->n.len);   \
    ck_assert_mem_eq(a->n.data, b->n.data, a->n.len);
#define STRV(n)                                          \
    for (size_t i = 0; a->n[i] != NULL; i++)             \
        ck_assert_str_eq(a->n[i], b->n[i]);              \
    ck_assert_uint_eq(strv_len((char *const *)a->n), strv_len((char *const *)b->n));
#define MESSAGE(name, number, from, max, fields)                                       \
    static void compare_##name(const struct msg_##name *a, const struct msg_##name *b) \
    {                                                                                  \
        fields(void)(a == b);                                                          \
    }
#include "common/messages.def"
#undef MESSAGE

static struct strbuf encoded(enum message_type type, const void *msg)
{
    struct strbuf out = {0};
    ck_assert(protocol_encode(&out, type, msg));
    return out;
}

START_TEST(every_message_arrives_as_it_was_sent)
{
#define MESSAGE(name, number, from, max, fields)                                            \
    {                                                                                       \
        struct msg_##name in;                                                               \
        fill_##name(&in);                                                                   \
        struct strbuf out = encoded(MSG_##name, &in);                                       \
        struct message got;                                                                 \
        size_t used;                                                                        \
        const char *cause;                                                                  \
        ck_assert_int_eq(protocol_decode(out.data, out.len, from, &got, &used, &cause), DECODE_OK); \
        ck_assert_uint_eq(used, out.len);                                                   \
        ck_assert_int_eq((int)got.type, number);                                            \
        compare_##name(&in, &got.u.name);                                                   \
        ck_assert_str_eq(message_name(got.type), #name);                                    \
        message_free(&got);                                                                 \
        strbuf_free(&out);                                                                  \
    }
#include "common/messages.def"
#undef MESSAGE
}
END_TEST

START_TEST(a_message_cut_anywhere_waits_for_more)
{
#define MESSAGE(name, number, from, max, fields)                                              \
    {                                                                                         \
        struct msg_##name in;                                                                 \
        fill_##name(&in);                                                                     \
        struct strbuf out = encoded(MSG_##name, &in);                                         \
        for (size_t n = 0; n < out.len; n++) {                                                \
            struct message got;                                                               \
            size_t used;                                                                      \
            const char *cause;                                                                \
            char *exact = xmemdup(out.data, n); /* so that a read beyond it is caught */      \
            ck_assert_int_eq(protocol_decode(exact, n, from, &got, &used, &cause), DECODE_MORE); \
            ck_assert_uint_eq(used, 0);                                                       \
            free(exact);                                                                      \
        }                                                                                     \
        strbuf_free(&out);                                                                    \
    }
#include "common/messages.def"
#undef MESSAGE
}
END_TEST

START_TEST(damaged_bytes_are_refused_or_read_within_bounds)
{
    for (unsigned round = 0; round < 20000; round++) {
        struct strbuf out = {0};
        switch (round % 5) {
        case 0: {
            struct msg_HELLO m;
            fill_HELLO(&m);
            out = encoded(MSG_HELLO, &m);
            break;
        }
        case 1: {
            struct msg_COMMAND m;
            fill_COMMAND(&m);
            out = encoded(MSG_COMMAND, &m);
            break;
        }
        case 2: {
            struct msg_KEY m;
            fill_KEY(&m);
            out = encoded(MSG_KEY, &m);
            break;
        }
        case 3: {
            struct msg_PASTE m;
            fill_PASTE(&m);
            out = encoded(MSG_PASTE, &m);
            break;
        }
        default: {
            struct msg_REPORT m;
            fill_REPORT(&m);
            out = encoded(MSG_REPORT, &m);
        }
        }
        for (unsigned i = 0; i < 1 + round % 4; i++)
            out.data[value() % out.len] = (char)value();
        struct message got;
        size_t used;
        const char *cause = NULL;
        char *exact = xmemdup(out.data, out.len);
        enum decode_result res = protocol_decode(exact, out.len, FROM_CLIENT, &got, &used, &cause);
        if (res == DECODE_OK) {
            ck_assert_uint_le(used, out.len);
            message_free(&got);
        } else if (res == DECODE_BAD)
            ck_assert_ptr_nonnull(cause);
        free(exact);
        strbuf_free(&out);
    }
}
END_TEST

static enum decode_result decode_raw(const void *data, size_t len, enum protocol_side from)
{
    struct message got;
    size_t used;
    const char *cause = NULL;
    enum decode_result res = protocol_decode(data, len, from, &got, &used, &cause);
    if (res == DECODE_OK)
        message_free(&got);
    return res;
}

START_TEST(a_four_gigabyte_length_is_refused_before_it_is_waited_for)
{
    ck_assert_int_eq(decode_raw("\xff\xff\xff\xff", 4, FROM_CLIENT), DECODE_BAD);
    ck_assert_int_eq(decode_raw("\xff\xff\xff\xff\x01\x00", 6, FROM_CLIENT), DECODE_BAD);
    ck_assert_int_eq(decode_raw("\x01\x00\x00\x00", 4, FROM_CLIENT), DECODE_BAD);
}
END_TEST

START_TEST(a_length_above_the_types_limit_is_refused_at_the_header)
{
    ck_assert_int_eq(decode_raw("\x00\x10\x00\x00\x04\x00", 6, FROM_CLIENT), DECODE_BAD);
}
END_TEST

START_TEST(a_message_of_the_other_side_is_refused)
{
    struct msg_KEY m = {.key = 1};
    struct strbuf out = encoded(MSG_KEY, &m);
    ck_assert_int_eq(decode_raw(out.data, out.len, FROM_SERVER), DECODE_BAD);
    strbuf_free(&out);
}
END_TEST

START_TEST(an_unknown_type_is_refused_and_an_optional_one_skipped)
{
    ck_assert_int_eq(decode_raw("\x02\x00\x00\x00\xff\x7f", 6, FROM_CLIENT), DECODE_BAD);
    ck_assert_int_eq(decode_raw("\x02\x00\x00\x00\xff\xff", 6, FROM_CLIENT), DECODE_OK);
}
END_TEST

START_TEST(fields_an_older_peer_did_not_send_are_empty)
{
    struct message got;
    size_t used;
    const char *cause;
    // A HELLO that ends after its two version numbers.
    static const char hello[] = "\x0a\x00\x00\x00\x01\x00\x01\x00\x00\x00\x02\x00\x00\x00";
    ck_assert_int_eq(protocol_decode(hello, 14, FROM_CLIENT, &got, &used, &cause), DECODE_OK);
    ck_assert_uint_eq(got.u.HELLO.version_max, 2);
    ck_assert_str_eq(got.u.HELLO.term, "");
    ck_assert_ptr_null(got.u.HELLO.environ[0]);
    message_free(&got);
}
END_TEST

START_TEST(a_message_too_large_for_its_type_is_not_encoded)
{
    struct strbuf out = {0};
    char *big = xmalloc(5000);
    memset(big, 'x', 4999);
    big[4999] = '\0';
    struct msg_REPORT m = {"name", big};
    ck_assert(!protocol_encode(&out, MSG_REPORT, &m));
    ck_assert_uint_eq(out.len, 0);
    free(big);
    strbuf_free(&out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("protocol");
    TCase *t = tcase_create("protocol");
    tcase_add_test(t, every_message_arrives_as_it_was_sent);
    tcase_add_test(t, a_message_cut_anywhere_waits_for_more);
    tcase_add_test(t, damaged_bytes_are_refused_or_read_within_bounds);
    tcase_add_test(t, a_four_gigabyte_length_is_refused_before_it_is_waited_for);
    tcase_add_test(t, a_length_above_the_types_limit_is_refused_at_the_header);
    tcase_add_test(t, a_message_of_the_other_side_is_refused);
    tcase_add_test(t, an_unknown_type_is_refused_and_an_optional_one_skipped);
    tcase_add_test(t, fields_an_older_peer_did_not_send_are_empty);
    tcase_add_test(t, a_message_too_large_for_its_type_is_not_encoded);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
