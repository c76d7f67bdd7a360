// Encoding and decoding of the messages, driven by the rows of messages.def.
#include "config.h"

#include "common/protocol.h"

#include <stdlib.h>
#include <string.h>

enum field_type { FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64, FIELD_STR, FIELD_BYTES, FIELD_STRV };
struct field {
    enum field_type type;
    size_t offset;
};
struct message_row {
    enum message_type type;
    const char *name;
    enum protocol_side from;
    uint32_t max_bytes;
    const struct field *fields;
    size_t n_fields;
};

#define CLIENT FROM_CLIENT
#define SERVER FROM_SERVER
#define U8(n) {FIELD_U8, offsetof(self_type, n)},
#define U16(n) {FIELD_U16, offsetof(self_type, n)},
#define U32(n) {FIELD_U32, offsetof(self_type, n)},
#define U64(n) {FIELD_U64, offsetof(self_type, n)},
#define I32(n) {FIELD_U32, offsetof(self_type, n)},
#define STR(n) {FIELD_STR, offsetof(self_type, n)},
#define BYTES(n) {FIELD_BYTES, offsetof(self_type, n)},
#define STRV(n) {FIELD_STRV, offsetof(self_type, n)},
// offsetof needs the struct's name inside each field, so each message has a function of its own.
#define MESSAGE(name, number, from, max, fieldlist)              \
    static const struct field *fields_##name(size_t *n)          \
    {                                                            \
        typedef struct msg_##name self_type;                     \
        static const struct field list[] = {fieldlist};          \
        *n = ARRAY_LEN(list);                                    \
        return list;                                             \
    }
#include "common/messages.def"
#undef MESSAGE

// False if the build has no such message.
static bool message_row(unsigned type, struct message_row *row)
{
    switch (type) {
#define MESSAGE(name_, number, from_, max, fieldlist)                              \
    case number:                                                                   \
        row->type = number;                                                        \
        row->name = #name_;                                                        \
        row->from = from_;                                                         \
        row->max_bytes = max;                                                      \
        row->fields = fields_##name_(&row->n_fields);                              \
        return true;
#include "common/messages.def"
#undef MESSAGE
    }
    return false;
}

const char *message_name(enum message_type type)
{
    struct message_row row;
    return message_row(type, &row) ? row.name : "unknown";
}

static void encode_field(struct strbuf *out, const struct field *f, const char *base)
{
    const void *p = base + f->offset;
    switch (f->type) {
    case FIELD_U8:
        wire_put_u8(out, *(const uint8_t *)p);
        break;
    case FIELD_U16:
        wire_put_u16(out, *(const uint16_t *)p);
        break;
    case FIELD_U32:
        wire_put_u32(out, *(const uint32_t *)p);
        break;
    case FIELD_U64:
        wire_put_u64(out, *(const uint64_t *)p);
        break;
    case FIELD_STR: {
        const char *s = *(const char *const *)p;
        wire_put_bytes(out, s, s == NULL ? 0 : strlen(s));
        break;
    }
    case FIELD_BYTES: {
        const struct wire_span *span = p;
        wire_put_bytes(out, span->data, span->len);
        break;
    }
    case FIELD_STRV: {
        const char *const *v = *(const char *const *const *)p;
        size_t n = strv_len((char *const *)v);
        wire_put_u32(out, (uint32_t)n);
        for (size_t i = 0; i < n; i++)
            wire_put_bytes(out, v[i], strlen(v[i]));
        break;
    }
    }
}

bool protocol_encode(struct strbuf *out, enum message_type type, const void *msg)
{
    struct message_row row;
    if (!message_row(type, &row))
        return false;
    size_t start = out->len;
    wire_put_u32(out, 0); // the length, filled in below
    wire_put_u16(out, (uint16_t)type);
    for (size_t i = 0; i < row.n_fields; i++)
        encode_field(out, &row.fields[i], msg);
    size_t body = out->len - start - 4;
    if (body - 2 > row.max_bytes) {
        out->len = start;
        out->data[start] = '\0';
        return false;
    }
    for (size_t i = 0; i < 4; i++)
        out->data[start + i] = (char)(body >> (8 * i));
    return true;
}

// Strings are NUL-terminated copies in one block of storage, since the wire has no NUL behind them.
struct storage {
    char *block;
    size_t used;
};

static const char *store_string(struct storage *st, const void *data, uint32_t len)
{
    char *s = st->block + st->used;
    if (len != 0)
        memcpy(s, data, len);
    s[len] = '\0';
    st->used += (size_t)len + 1;
    return s;
}

static bool decode_string(struct wire_reader *r, struct storage *st, const char **out)
{
    uint32_t len;
    const void *data = wire_bytes(r, &len);
    if (r->failed || (len != 0 && memchr(data, '\0', len) != NULL))
        return false;
    *out = store_string(st, data, len);
    return true;
}

static bool decode_vector(struct wire_reader *r, struct storage *st, const char *const **out)
{
    uint32_t n = wire_u32(r);
    // Each string takes at least its length field: a count beyond that is damage, not a reason to
    // allocate.
    if (r->failed || n > WIRE_MAX_STRINGS || n > (r->len - r->at) / 4)
        return false;
    st->used = (st->used + sizeof(char *) - 1) & ~(sizeof(char *) - 1);
    const char **v = (const char **)(void *)(st->block + st->used);
    st->used += ((size_t)n + 1) * sizeof *v;
    for (uint32_t i = 0; i < n; i++)
        if (!decode_string(r, st, &v[i]))
            return false;
    v[n] = NULL;
    *out = v;
    return true;
}

// Storage that the body's strings can need at most: every 4 bytes may be an empty string, which
// takes a NUL and a pointer.
static size_t storage_bound(const struct message_row *row, size_t body)
{
    bool has_vector = false;
    for (size_t i = 0; i < row->n_fields; i++)
        has_vector |= row->fields[i].type == FIELD_STRV;
    size_t bound = body + row->n_fields * (2 * sizeof(char *) + 1) + 1;
    if (has_vector)
        bound += (body / 4 + 1) * (sizeof(char *) + 1);
    return bound;
}

static bool decode_field(struct wire_reader *r, const struct field *f, char *base, struct storage *st)
{
    static const char *const no_strings[] = {NULL};
    void *p = base + f->offset;
    bool is_missing = r->at == r->len; // from an older peer: zero or empty
    switch (f->type) {
    case FIELD_U8:
        *(uint8_t *)p = is_missing ? 0 : wire_u8(r);
        break;
    case FIELD_U16:
        *(uint16_t *)p = is_missing ? 0 : wire_u16(r);
        break;
    case FIELD_U32:
        *(uint32_t *)p = is_missing ? 0 : wire_u32(r);
        break;
    case FIELD_U64:
        *(uint64_t *)p = is_missing ? 0 : wire_u64(r);
        break;
    case FIELD_STR:
        if (is_missing)
            *(const char **)p = "";
        else if (!decode_string(r, st, p))
            return false;
        break;
    case FIELD_BYTES: {
        struct wire_span *span = p;
        *span = (struct wire_span){0};
        if (!is_missing) {
            span->data = wire_bytes(r, &span->len);
            if (span->len == 0)
                span->data = NULL;
        }
        break;
    }
    case FIELD_STRV:
        if (is_missing)
            *(const char *const **)p = no_strings;
        else if (!decode_vector(r, st, p))
            return false;
        break;
    }
    return !r->failed;
}

#define OPTIONAL_TYPE 0x8000u

enum decode_result protocol_decode(const void *data, size_t len, enum protocol_side from,
                                   struct message *msg, size_t *used, const char **cause)
{
    struct wire_reader head = {data, len, 0, false};
    *used = 0;
    memset(msg, 0, sizeof *msg);
    uint32_t size = wire_u32(&head);
    unsigned type = wire_u16(&head);
    if (head.failed) {
        // The length alone is enough to refuse.
        if (len >= 4 && (size < 2 || size > WIRE_MAX_FRAME + 2)) {
            *cause = "message with an impossible length";
            return DECODE_BAD;
        }
        return DECODE_MORE;
    }
    if (size < 2 || size > WIRE_MAX_FRAME + 2) {
        *cause = "message with an impossible length";
        return DECODE_BAD;
    }
    struct message_row row;
    bool is_known = message_row(type, &row);
    if (!is_known && type < OPTIONAL_TYPE) {
        *cause = "message of an unknown type";
        return DECODE_BAD;
    }
    if (is_known && row.from != from) {
        *cause = "message of the other side";
        return DECODE_BAD;
    }
    if (is_known && size - 2 > row.max_bytes) {
        *cause = "message larger than its type allows";
        return DECODE_BAD;
    }
    if (len - 4 < size)
        return DECODE_MORE;
    *used = 4 + (size_t)size;
    msg->type = (enum message_type)type;
    if (!is_known)
        return DECODE_OK;

    struct wire_reader body = {(const uint8_t *)data + WIRE_HEADER_BYTES, size - 2, 0, false};
    struct storage st = {NULL, 0};
    bool has_strings = false;
    for (size_t i = 0; i < row.n_fields; i++)
        has_strings |= row.fields[i].type == FIELD_STR || row.fields[i].type == FIELD_STRV;
    if (has_strings)
        st.block = xmalloc(storage_bound(&row, body.len));
    msg->owned = st.block;
    for (size_t i = 0; i < row.n_fields; i++) {
        if (!decode_field(&body, &row.fields[i], (char *)&msg->u, &st)) {
            message_free(msg);
            *used = 0;
            *cause = "message with damaged fields";
            return DECODE_BAD;
        }
    }
    return DECODE_OK;
}

void message_free(struct message *msg)
{
    free(msg->owned);
    msg->owned = NULL;
}
