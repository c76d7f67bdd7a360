// Patterns in formats: shell patterns and regular expressions, both bounded whatever they are given.
#include "server/format/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "common/utf8.h"

#define PATTERN_MAX_BYTES 1000
#define MATCH_LIMIT       20000 // PCRE2's count of internal calls
#define DEPTH_LIMIT       1000
#define RESULT_MAX_BYTES  (1u << 18)

// --- Shell patterns: as fnmatch(3) without flags, but never more than pattern times text.

static uint32_t fold(uint32_t cp, bool ignores_case)
{
    return ignores_case && cp < 128 ? (uint32_t)tolower((int)cp) : cp;
}

static bool is_in_class(const char *name, size_t len, uint32_t cp)
{
    static const struct {
        const char *name;
        int (*test)(int);
    } classes[] = {
        {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
        {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
        {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
    };
    for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
        if (strlen(classes[i].name) == len && strncmp(classes[i].name, name, len) == 0)
            return cp < 128 && classes[i].test((int)cp);
    }
    return false;
}

// Whether cp is in the bracket expression behind the '[' at p; *end is put behind its ']'. False
// with *end NULL if it is none (then '[' stands for itself).
static bool matches_bracket(const char *p, uint32_t cp, bool ignores_case, const char **end)
{
    bool is_negated = *p == '!' || *p == '^';
    bool is_in = false;
    const char *s = p + is_negated;
    *end = NULL;
    for (bool is_first = true; *s != '\0' && (*s != ']' || is_first); is_first = false) {
        const char *close;
        if (*s == '[' && s[1] == ':' && (close = strstr(s + 2, ":]")) != NULL) {
            is_in = is_in || is_in_class(s + 2, (size_t)(close - s - 2), cp);
            s = close + 2;
            continue;
        }
        if (*s == '\\' && s[1] != '\0')
            s++;
        uint32_t low, high;
        s += utf8_next(s, strlen(s), &low);
        high = low;
        if (*s == '-' && s[1] != '\0' && s[1] != ']') {
            s++;
            if (*s == '\\' && s[1] != '\0')
                s++;
            s += utf8_next(s, strlen(s), &high);
        }
        uint32_t folded = fold(cp, ignores_case);
        is_in = is_in || (cp >= low && cp <= high) ||
                (folded >= fold(low, ignores_case) && folded <= fold(high, ignores_case));
    }
    if (*s != ']')
        return false;
    *end = s + 1;
    return is_in != is_negated;
}

// Matches one character of pattern at *p with one of text at *t and moves both on.
static bool matches_one(const char **p, const char **t, bool ignores_case)
{
    uint32_t want, cp;
    size_t text_len = utf8_next(*t, strlen(*t), &cp);
    if (**p == '[') {
        const char *end;
        bool is_in = matches_bracket(*p + 1, cp, ignores_case, &end);
        if (end != NULL) {
            *p = end;
            *t += text_len;
            return is_in;
        }
    }
    if (**p == '?') {
        ++*p;
        *t += text_len;
        return true;
    }
    const char *literal = **p == '\\' && (*p)[1] != '\0' ? *p + 1 : *p;
    size_t len = utf8_next(literal, strlen(literal), &want);
    *p = literal + len;
    *t += text_len;
    return fold(want, ignores_case) == fold(cp, ignores_case);
}

bool format_glob_matches(const char *pattern, const char *text, bool ignores_case)
{
    const char *star = NULL, *star_text = NULL;
    // Only the last star is ever gone back to, which is enough and keeps this quadratic at worst.
    if (strlen(pattern) > PATTERN_MAX_BYTES)
        return false;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            star_text = text;
            continue;
        }
        const char *p = pattern, *t = text;
        if (*p != '\0' && matches_one(&p, &t, ignores_case)) {
            pattern = p;
            text = t;
            continue;
        }
        if (star == NULL)
            return false;
        uint32_t cp;
        star_text += utf8_next(star_text, strlen(star_text), &cp);
        pattern = star;
        text = star_text;
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

// --- Regular expressions

struct regex {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *limits;
};

static bool regex_open(struct regex *re, const char *pattern, bool ignores_case)
{
    int error;
    PCRE2_SIZE at;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | (ignores_case ? PCRE2_CASELESS : 0);
    *re = (struct regex){0};
    if (strlen(pattern) > PATTERN_MAX_BYTES)
        return false;
    re->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &error, &at, NULL);
    if (re->code == NULL)
        return false;
    re->data = pcre2_match_data_create_from_pattern(re->code, NULL);
    re->limits = pcre2_match_context_create(NULL);
    if (re->data == NULL || re->limits == NULL)
        return false;
    pcre2_set_match_limit(re->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(re->limits, DEPTH_LIMIT);
    return true;
}

static void regex_close(struct regex *re)
{
    pcre2_match_context_free(re->limits);
    pcre2_match_data_free(re->data);
    pcre2_code_free(re->code);
}

// Groups found; 0 or less: no match, or a limit was reached.
static int regex_match(struct regex *re, const char *text, size_t len, size_t from, uint32_t options)
{
    return pcre2_match(re->code, (PCRE2_SPTR)text, len, from, options, re->data, re->limits);
}

bool format_regex_matches(const char *pattern, const char *text, bool ignores_case)
{
    struct regex re;
    bool result =
        regex_open(&re, pattern, ignores_case) && regex_match(&re, text, strlen(text), 0, 0) > 0;
    regex_close(&re);
    return result;
}

// Adds the replacement, its \0 to \9 taken from the text as it was with its marks.
static void add_replacement(struct strbuf *out, const char *with, const char *text,
                            const PCRE2_SIZE *groups, int n)
{
    for (; *with != '\0'; with++) {
        if (*with != '\\' || with[1] == '\0') {
            strbuf_add_char(out, *with);
            continue;
        }
        with++;
        int group = *with - '0';
        if (group < 0 || group > 9)
            strbuf_add_char(out, *with);
        else if (group < n && groups[2 * group] != PCRE2_UNSET)
            strbuf_add(out, text + groups[2 * group], groups[2 * group + 1] - groups[2 * group]);
    }
}

char *format_regex_replace(const struct format_state *st, const char *pattern, const char *with,
                           const char *text, bool ignores_case)
{
    struct regex re;
    struct strbuf out = {0};
    size_t len = strlen(text), at = 0;
    bool was_taken = false; // the match before ended here and was not empty
    char *wanted = format_unmark(pattern);
    char *plain = format_unmark(text); // as long as text: offsets hold in both
    bool is_good = regex_open(&re, wanted, ignores_case);
    while (is_good && at <= len && out.len < RESULT_MAX_BYTES) {
        // Matching is dearer than copying.
        if (!format_work(st, 50 + (len - at) / 4))
            break;
        int n = regex_match(&re, plain, len, at, 0);
        if (n <= 0)
            break;
        const PCRE2_SIZE *groups = pcre2_get_ovector_pointer(re.data);
        if (groups[0] < at || groups[1] < groups[0])
            break; // \K can give a match that ends before it begins
        strbuf_add(&out, text + at, groups[0] - at);
        bool is_empty = groups[0] == groups[1];
        if (!is_empty || !was_taken || groups[0] > at)
            add_replacement(&out, with, text, groups, n);
        was_taken = !is_empty;
        at = groups[1];
        if (is_empty) {
            // Nothing was taken: one character goes over as it is.
            uint32_t cp;
            size_t step = at < len ? utf8_next(plain + at, len - at, &cp) : 0;
            strbuf_add(&out, text + at, step);
            at += MAX_OF(step, 1u);
        }
    }
    if (at < len)
        strbuf_add(&out, text + at, len - at);
    regex_close(&re);
    free(wanted);
    free(plain);
    return strbuf_take(&out);
}
