// Copy mode's search: text or a regular expression, forward or back, in slices of a turn.
//
// Lines are searched as they were printed, with soft-wrapped rows joined. Text is found without
// regard to case unless it has an upper-case letter, as in tmux. The jump comes first and then the
// count of all matches; matches on screen are found anew when a row is drawn, so none are stored.
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "common/jobs.h"
#include "common/utf8.h"
#include "server/mode/copy.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define SLICE_US          2500
#define PATTERN_MAX_BYTES 4096
#define MATCH_LIMIT       20000 // backtracking steps of one match
#define MATCH_DEPTH       2000
#define MATCH_HEAP_KB     1024
#define LOGICAL_MAX_ROWS  256u // rows joined to one line; a longer one is searched in pieces

// A line as it was printed: the rows and their texts, one behind the other.
struct logical {
    unsigned first, n;
    size_t at[LOGICAL_MAX_ROWS + 1]; // where each row's text begins
    struct strbuf text;
};

enum search_phase { PHASE_IDLE, PHASE_JUMP, PHASE_COUNT };

struct copy_search {
    struct copy *owner;
    struct job *job;
    char *text;
    unsigned flags; // enum copy_search_flag; UP is of the command that set the text
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
    struct logical line;

    enum search_phase phase;
    bool is_up;
    unsigned repeat;
    bool has_wrapped;
    bool is_incremental;
    struct copy_pos from; // matches begin here or behind (before, when going up)
    unsigned next_row;    // of the line to look at next
    bool is_first_line;

    bool shows;
    uint32_t serial;
    bool has_current;
    struct copy_match current;
    unsigned count;
    bool is_count_partial;

    bool has_origin; // of an incremental search
    struct copy_pos origin;
};

// What was last looked for, by any pane: `n` works in a copy mode that was just entered.
static char *last_text;
static unsigned last_flags;

static struct copy_search *search_of(struct copy *c)
{
    if (c->search == NULL) {
        c->search = xcalloc(1, sizeof *c->search);
        c->search->owner = c;
    }
    return c->search;
}

// --- Lines

static bool row_text(struct copy *c, struct copy_search *s, unsigned row, bool *is_wrapped)
{
    size_t len;
    const void *data = copy_row_packed(c, row, &len);
    struct row_reader r;
    *is_wrapped = false;
    if (data == NULL || !row_reader_init(&r, data, len))
        return false;
    *is_wrapped = r.flags & ROW_WRAPPED;
    row_to_text(data, len, true, &s->line.text);
    return true;
}

// Reads the line that begins with `row`.
static void logical_read(struct copy *c, struct copy_search *s, unsigned row)
{
    struct logical *l = &s->line;
    l->first = row;
    l->n = 0;
    strbuf_clear(&l->text);
    bool is_wrapped;
    do {
        l->at[l->n++] = l->text.len;
        row_text(c, s, row++, &is_wrapped);
        l->at[l->n] = l->text.len;
    } while (is_wrapped && l->n < LOGICAL_MAX_ROWS && row <= copy_last_row(c));
}

static bool row_goes_on(struct copy *c, unsigned row)
{
    size_t len;
    const void *data = copy_row_packed(c, row, &len);
    struct row_reader r;
    return data != NULL && row_reader_init(&r, data, len) && (r.flags & ROW_WRAPPED);
}

static unsigned logical_first(struct copy *c, unsigned row)
{
    unsigned first = row;
    while (first > copy_first_row(c) && row - first < LOGICAL_MAX_ROWS - 1 &&
           row_goes_on(c, first - 1))
        first--;
    return first;
}

static struct copy_pos logical_pos(struct copy *c, struct copy_search *s, size_t at, bool is_end)
{
    struct logical *l = &s->line;
    unsigned i = 0;
    // An end that lies where a row begins belongs to the row before.
    while (i + 1 < l->n && (is_end ? at > l->at[i + 1] : at >= l->at[i + 1]))
        i++;
    size_t in_row = at - l->at[i];
    const struct copy_line *line = copy_line(c, l->first + i);
    unsigned x = 0;
    while (x < line->cols && (line->cells[x].at < in_row || line->cells[x].width == 0))
        x++;
    if (x >= line->cols)
        x = line->cols;
    return (struct copy_pos){x, l->first + i};
}

static size_t logical_offset(struct copy *c, struct copy_search *s, struct copy_pos pos)
{
    struct logical *l = &s->line;
    if (pos.row < l->first)
        return 0;
    if (pos.row >= l->first + l->n)
        return l->text.len + 1;
    const struct copy_line *line = copy_line(c, pos.row);
    size_t base = l->at[pos.row - l->first];
    if (pos.x >= line->cols)
        return base + line->text.len + (pos.row + 1 == l->first + l->n ? pos.x - line->cols : 0);
    return base + line->cells[pos.x].at;
}

// --- Matching

// The first match at or behind `from` bytes. Empty ones do not count.
static bool find_in_line(struct copy_search *s, size_t from, size_t *start, size_t *end)
{
    struct logical *l = &s->line;
    while (from < l->text.len) {
        int n = pcre2_match(s->code, (PCRE2_SPTR)l->text.data, l->text.len, from, 0, s->match,
                            s->context);
        if (n < 0)
            return false;
        PCRE2_SIZE *ovector = pcre2_get_ovector_pointer(s->match);
        *start = ovector[0];
        *end = ovector[1];
        if (*end > *start)
            return true;
        from = *end + 1;
    }
    return false;
}

// The last match that begins at or before `until` bytes.
static bool find_last_in_line(struct copy_search *s, size_t until, size_t *start, size_t *end)
{
    size_t from = 0, a, b;
    bool found = false;
    while (from <= until && find_in_line(s, from, &a, &b) && a <= until) {
        *start = a;
        *end = b;
        found = true;
        from = b;
    }
    return found;
}

static void code_free(struct copy_search *s)
{
    pcre2_code_free(s->code);
    pcre2_match_data_free(s->match);
    s->code = NULL;
    s->match = NULL;
}

static bool has_upper_case(const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        i += utf8_next(text + i, len - i, &cp);
        if (cp >= 'A' && cp <= 'Z')
            return true;
    }
    return false;
}

static bool compile(struct copy_search *s, const char *text, unsigned flags, char **cause)
{
    bool is_regex = (flags & COPY_SEARCH_REGEX) && strpbrk(text, "^$*+()?[].\\{}|") != NULL;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
    if (!is_regex)
        options |= PCRE2_LITERAL;
    if (!has_upper_case(text))
        options |= PCRE2_CASELESS;
    if (strlen(text) > PATTERN_MAX_BYTES) {
        *cause = xstrdup("search text too long");
        return false;
    }
    int error;
    PCRE2_SIZE at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, strlen(text), options, &error, &at, NULL);
    if (code == NULL) {
        PCRE2_UCHAR message[128] = "";
        pcre2_get_error_message(error, message, sizeof message);
        *cause = xasprintf("bad regular expression: %s", (const char *)message);
        return false;
    }
    code_free(s);
    s->code = code;
    // Not every system lets a program make code; then it is interpreted.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    s->match = pcre2_match_data_create(1, NULL);
    if (s->context == NULL) {
        s->context = pcre2_match_context_create(NULL);
        pcre2_set_match_limit(s->context, MATCH_LIMIT);
        pcre2_set_depth_limit(s->context, MATCH_DEPTH);
        pcre2_set_heap_limit(s->context, MATCH_HEAP_KB);
    }
    return true;
}

// --- The jump

enum step { STEP_MORE, STEP_FOUND, STEP_NONE };

static bool wraps(const struct copy *c)
{
    return options_number(c->pane->window->options, "wrap-search") != 0;
}

// Looks at one line.
static enum step jump_step(struct copy *c, struct copy_search *s)
{
    unsigned first = s->is_up ? logical_first(c, s->next_row) : s->next_row;
    if (s->is_first_line)
        first = logical_first(c, s->from.row);
    logical_read(c, s, first);
    size_t start, end;
    bool found;
    if (s->is_up) {
        size_t until = s->is_first_line ? logical_offset(c, s, s->from) : s->line.text.len;
        found = find_last_in_line(s, until, &start, &end);
    } else {
        size_t from = s->is_first_line ? logical_offset(c, s, s->from) : 0;
        found = find_in_line(s, from, &start, &end);
    }
    if (found) {
        s->current.start = logical_pos(c, s, start, false);
        s->current.end = logical_pos(c, s, end, true);
        return STEP_FOUND;
    }
    s->is_first_line = false;
    bool is_at_end = s->is_up ? first <= copy_first_row(c) : first + s->line.n > copy_last_row(c);
    // The second time round ends with the line that the search began in.
    if (s->has_wrapped && first <= s->from.row && s->from.row < first + s->line.n)
        return STEP_NONE;
    if (!is_at_end) {
        s->next_row = s->is_up ? first - 1 : first + s->line.n;
        return STEP_MORE;
    }
    if (s->has_wrapped || !wraps(c))
        return STEP_NONE;
    s->has_wrapped = true;
    s->next_row = s->is_up ? copy_last_row(c) : copy_first_row(c);
    return STEP_MORE;
}

static void jump_from(struct copy *c, struct copy_search *s)
{
    struct copy_pos at = copy_cursor(c);
    struct copy_match current;
    if (s->is_up) {
        if (at.x > 0) {
            at.x--;
        } else if (at.row > copy_first_row(c)) {
            at.row--;
            at.x = c->cols;
        } else if (wraps(c)) {
            at = (struct copy_pos){c->cols, copy_last_row(c)};
        }
    } else if (copy_uses_vi(c) && !s->is_incremental) {
        // vi's cursor stands on the match's beginning: the next begins behind it.
        if (s->shows && copy_search_current(c, &current) &&
            copy_pos_compare(current.start, at) == 0)
            at = current.end;
        else
            at.x++;
    }
    s->from = at;
    s->next_row = at.row;
    s->is_first_line = true;
    s->has_wrapped = false;
}

static void jump_found(struct copy *c, struct copy_search *s)
{
    s->has_current = true;
    s->shows = true;
    copy_go_far(c, s->current.start);
    if (!s->is_up && !copy_uses_vi(c))
        copy_go(c, s->current.end);
}

static void count_begin(struct copy *c, struct copy_search *s)
{
    s->phase = PHASE_COUNT;
    s->count = 0;
    s->is_count_partial = true;
    s->next_row = copy_first_row(c);
}

// True when there is no more.
static bool count_step(struct copy *c, struct copy_search *s)
{
    s->next_row = MAX_OF(s->next_row, copy_first_row(c));
    logical_read(c, s, s->next_row);
    size_t from = 0, end;
    while (find_in_line(s, from, &from, &end)) {
        s->count++;
        from = end;
    }
    s->next_row += s->line.n;
    return s->next_row > copy_last_row(c);
}

// Works for a slice. True if the jump ended in it, found or not.
static bool search_slice(struct copy *c, struct copy_search *s)
{
    int64_t began = clock_monotonic_us();
    bool has_jumped = false, did_show = s->shows;
    for (unsigned n = 1; s->phase != PHASE_IDLE; n++) {
        if (s->phase == PHASE_JUMP) {
            enum step step = jump_step(c, s);
            if (step == STEP_FOUND) {
                jump_found(c, s);
                if (--s->repeat > 0)
                    jump_from(c, s);
                else
                    count_begin(c, s);
                has_jumped = s->phase == PHASE_COUNT;
            } else if (step == STEP_NONE) {
                s->phase = PHASE_IDLE;
                if (!s->has_current)
                    s->shows = false;
                has_jumped = true;
            }
        } else if (count_step(c, s)) {
            s->phase = PHASE_IDLE;
            s->is_count_partial = false;
        }
        if (n % 16 == 0 && clock_monotonic_us() - began > SLICE_US)
            break;
    }
    if (s->shows != did_show)
        s->serial++;
    return has_jumped;
}

static struct due search_due(const void *state, int64_t now_us)
{
    const struct copy_search *s = state;
    return s->phase == PHASE_IDLE ? due_never() : due_at(now_us);
}

static void search_run(void *state)
{
    struct copy_search *s = state;
    struct copy *c = s->owner;
    bool has_jumped = search_slice(c, s);
    if (has_jumped || s->phase == PHASE_IDLE)
        copy_changed(c);
    if (has_jumped)
        copy_run_pending(c);
}

static const struct job_spec search_job = {"copy search", search_due, search_run};

static void search_begin(struct copy *c, struct copy_search *s, bool is_up, unsigned repeat)
{
    s->is_up = is_up;
    s->repeat = repeat == 0 ? 1 : repeat;
    jump_from(c, s);
    s->has_current = false;
    s->phase = PHASE_JUMP;
    search_slice(c, s);
    if (s->phase != PHASE_IDLE) {
        if (s->job == NULL)
            s->job = job_add(server_jobs(), &search_job, s);
        job_ask(s->job);
    }
}

bool copy_search_start(struct copy *c, const char *text, unsigned flags, unsigned repeat,
                       char **cause)
{
    struct copy_search *s = search_of(c);
    if (text == NULL || *text == '\0') {
        if (s->text == NULL && last_text == NULL)
            return true;
        text = s->text != NULL ? s->text : last_text;
        flags = (flags & COPY_SEARCH_UP) |
                ((s->text != NULL ? s->flags : last_flags) & COPY_SEARCH_REGEX);
    }
    if (s->text == NULL || strcmp(s->text, text) != 0 || s->flags != flags || s->code == NULL) {
        if (!compile(s, text, flags, cause))
            return false;
        char *copy = xstrdup(text);
        free(s->text);
        s->text = copy;
        free(last_text);
        last_text = xstrdup(copy);
        s->serial++;
    }
    s->flags = last_flags = flags;
    s->has_origin = false;
    s->is_incremental = false;
    search_begin(c, s, flags & COPY_SEARCH_UP, repeat);
    return true;
}

bool copy_search_again(struct copy *c, bool reverse, unsigned repeat, char **cause)
{
    const struct copy_search *s = search_of(c);
    unsigned flags = s->text != NULL ? s->flags : last_flags | COPY_SEARCH_UP;
    bool was_up = flags & COPY_SEARCH_UP;
    if (reverse)
        flags ^= COPY_SEARCH_UP;
    if (!copy_search_start(c, NULL, flags, repeat, cause))
        return false;
    // The direction stays that of the command that set the text.
    if (c->search->text != NULL)
        c->search->flags =
            (c->search->flags & ~(unsigned)COPY_SEARCH_UP) | (was_up ? COPY_SEARCH_UP : 0);
    return true;
}

// tmux's incremental prompt puts a sign before the text: '=' it was typed, '+' and '-' the key for
// the next one in that direction was pressed again.
bool copy_search_incremental(struct copy *c, const char *prefixed, bool is_up, char **cause)
{
    struct copy_search *s = search_of(c);
    char sign = *prefixed;
    if (sign != '\0')
        prefixed++;
    if (!s->has_origin) {
        s->has_origin = true;
        s->origin = copy_cursor(c);
    } else if (s->text != NULL && strcmp(prefixed, s->text) != 0) {
        copy_go_far(c, s->origin);
    }
    struct copy_pos origin = s->origin;
    if (*prefixed == '\0') {
        copy_search_clear(c);
        s->has_origin = true;
        return true;
    }
    bool goes_up = sign == '+' ? false : sign == '-' ? true : is_up;
    if (s->text == NULL || strcmp(s->text, prefixed) != 0) {
        if (!compile(s, prefixed, 0, cause))
            return false;
        free(s->text);
        s->text = xstrdup(prefixed);
        free(last_text);
        last_text = xstrdup(prefixed);
        s->serial++;
    }
    s->flags = last_flags = goes_up ? COPY_SEARCH_UP : 0;
    s->is_incremental = sign == '=';
    search_begin(c, s, goes_up, 1);
    s->has_origin = true;
    s->origin = origin;
    return true;
}

bool copy_is_searching(const struct copy *c)
{
    return c->search != NULL && c->search->phase == PHASE_JUMP;
}

void copy_search_stop(struct copy *c)
{
    if (c->search != NULL)
        c->search->phase = PHASE_IDLE;
}

void copy_search_clear(struct copy *c)
{
    struct copy_search *s = c->search;
    if (s == NULL)
        return;
    s->shows = s->has_current = s->has_origin = false;
    s->phase = PHASE_IDLE;
    s->serial++;
}

void copy_search_free(struct copy *c)
{
    struct copy_search *s = c->search;
    if (s == NULL)
        return;
    job_remove(s->job);
    code_free(s);
    pcre2_match_context_free(s->context);
    strbuf_free(&s->line.text);
    free(s->text);
    free(s);
    c->search = NULL;
}

bool copy_search_shows(const struct copy *c)
{
    return c->search != NULL && c->search->shows && c->search->code != NULL;
}

uint32_t copy_search_serial(const struct copy *c)
{
    return c->search == NULL ? 0 : c->search->serial;
}

size_t copy_search_matches(struct copy *c, unsigned row, struct copy_match *out, size_t max)
{
    struct copy_search *s = c->search;
    logical_read(c, s, logical_first(c, row));
    size_t n = 0, from = 0, start, end;
    while (n < max && find_in_line(s, from, &start, &end)) {
        from = end;
        struct copy_match m = {logical_pos(c, s, start, false), logical_pos(c, s, end, true)};
        if (m.start.row > row)
            break;
        if (m.end.row >= row)
            out[n++] = m;
    }
    return n;
}

bool copy_search_current(const struct copy *c, struct copy_match *out)
{
    const struct copy_search *s = c->search;
    if (s == NULL || !s->has_current)
        return false;
    struct copy_pos at = copy_cursor(c);
    *out = s->current;
    return copy_pos_compare(at, s->current.start) >= 0 && copy_pos_compare(at, s->current.end) <= 0;
}

const char *copy_search_text(const struct copy *c)
{
    if (c->search != NULL && c->search->text != NULL)
        return c->search->text;
    return last_text != NULL ? last_text : "";
}

unsigned copy_search_count(const struct copy *c, bool *is_partial)
{
    *is_partial = c->search != NULL && c->search->is_count_partial;
    return c->search == NULL ? 0 : c->search->count;
}
