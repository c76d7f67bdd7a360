// A prompt in a client's status line: command-prompt and confirm-before. Its text, its editing keys
// (emacs or vi, by status-keys), and how it is shown.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/style.h"
#include "common/utf8.h"
#include "server/mode/mode.h"
#include "server/mode/prompt.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"
#include "server/server.h"

#define TEXT_MAX_BYTES (64u << 10)

struct prompt {
    char *label; // markup
    char *initial;
    unsigned flags; // enum prompt_flag
    enum prompt_type type;
    prompt_fn fn;
    void (*free_fn)(void *arg);
    void *arg;

    struct strbuf text; // valid UTF-8, no control characters
    size_t cursor;      // byte of it, at the start of a grapheme
    size_t history;     // how far back in the history; 0: what is being typed
    char *typed;        // kept while the history is looked through
    char *killed;       // by C-u, C-k and C-w, for C-y
    char *candidates;   // of the last Tab; shown until the next key
    bool is_vi;
    bool is_vi_command; // vi's command mode, after Escape
    char vi_operator;   // 'd' or 'c' was pressed, a motion follows
    char sign;          // of incremental prompts: '=', '+', '-'
    bool is_calling;    // fn is running: it may open another prompt or close this one
    bool is_closed;     // meanwhile; freed when fn is back
};

static struct options *prompt_options(struct client *c)
{
    return c->session != NULL ? c->session->options : server_session_options();
}

static void destroy(struct prompt *p)
{
    if (p->free_fn != NULL)
        p->free_fn(p->arg);
    strbuf_free(&p->text);
    free(p->label);
    free(p->initial);
    free(p->typed);
    free(p->killed);
    free(p->candidates);
    free(p);
}

// Takes the prompt off the client. It is freed now, or when its function returns.
static void detach(struct client *c)
{
    struct prompt *p = c->prompt;
    c->prompt = NULL;
    p->is_closed = true;
    if (!p->is_calling)
        destroy(p);
    client_redraw(c, REDRAW_STATUS);
}

// Calls the owner. Returns whether this prompt is still the client's, and open.
static bool call(struct client *c, const char *text, bool is_done)
{
    struct prompt *p = c->prompt;
    bool was_calling = p->is_calling;
    p->is_calling = true;
    bool stays = p->fn(c, p->arg, text, is_done) && !is_done;
    p->is_calling = was_calling;
    if (p->is_closed) {
        if (!p->is_calling)
            destroy(p);
        return false;
    }
    if (!stays) {
        detach(c);
        return false;
    }
    return true;
}

static const char *text_of(const struct prompt *p)
{
    return p->text.data == NULL ? "" : p->text.data;
}

static bool call_incremental(struct client *c, char sign)
{
    struct prompt *p = c->prompt;
    if (!(p->flags & PROMPT_INCREMENTAL))
        return true;
    p->sign = sign;
    char *text = xasprintf("%c%s", sign, text_of(p));
    bool is_open = call(c, text, false);
    free(text);
    return is_open;
}

// --- Text

static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029;
}

// Adds what can be shown of `data` at the cursor.
static bool insert(struct prompt *p, const char *data, size_t len)
{
    struct strbuf clean = {0};
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        size_t n = utf8_next(data + i, len - i, &cp);
        if (!is_control(cp)) {
            char out[UTF8_MAX_BYTES];
            strbuf_add(&clean, out, utf8_encode(cp, out));
        } else if (cp == '\n' || cp == '\t') {
            strbuf_add_char(&clean, ' ');
        }
        i += n;
    }
    size_t n = MIN_OF(clean.len, TEXT_MAX_BYTES - MIN_OF(p->text.len, TEXT_MAX_BYTES));
    while (n > 0 && n < clean.len && ((unsigned char)clean.data[n] & 0xC0) == 0x80)
        n--;
    if (n > 0) {
        strbuf_reserve(&p->text, n + 1);
        memmove(p->text.data + p->cursor + n, p->text.data + p->cursor, p->text.len - p->cursor);
        memcpy(p->text.data + p->cursor, clean.data, n);
        p->text.len += n;
        p->text.data[p->text.len] = '\0';
        p->cursor += n;
    }
    strbuf_free(&clean);
    return n > 0;
}

static bool erase(struct prompt *p, size_t from, size_t to)
{
    if (from >= to)
        return false;
    memmove(p->text.data + from, p->text.data + to, p->text.len - to);
    p->text.len -= to - from;
    p->text.data[p->text.len] = '\0';
    if (p->cursor >= to)
        p->cursor -= to - from;
    else if (p->cursor > from)
        p->cursor = from;
    return true;
}

static bool kill_text(struct prompt *p, size_t from, size_t to)
{
    if (from >= to)
        return false;
    free(p->killed);
    p->killed = xstrndup(p->text.data + from, to - from);
    return erase(p, from, to);
}

static void replace(struct prompt *p, const char *text)
{
    strbuf_clear(&p->text);
    p->cursor = 0;
    insert(p, text, strlen(text));
}

// Where the grapheme behind `at` begins.
static size_t next_grapheme(const struct prompt *p, size_t at)
{
    if (at >= p->text.len)
        return p->text.len;
    uint32_t prev, cp;
    int32_t state = 0;
    at += utf8_next(p->text.data + at, p->text.len - at, &prev);
    while (at < p->text.len) {
        size_t n = utf8_next(p->text.data + at, p->text.len - at, &cp);
        if (!utf8_is_extending(prev, cp, &state))
            break;
        prev = cp;
        at += n;
    }
    return at;
}

static size_t previous_grapheme(const struct prompt *p, size_t at)
{
    size_t prev = 0;
    for (size_t i = 0; i < at; i = next_grapheme(p, i))
        prev = i;
    return prev;
}

enum word_class { WORD_BLANK, WORD_SEPARATOR, WORD_TEXT };
static enum word_class class_at(const struct prompt *p, size_t at, const char *separators)
{
    char ch = p->text.data[at];
    if (ch == ' ')
        return WORD_BLANK;
    return strchr(separators, ch) != NULL ? WORD_SEPARATOR : WORD_TEXT;
}

static size_t word_back(const struct prompt *p, size_t at, const char *separators)
{
    while (at > 0 && class_at(p, at - 1, separators) == WORD_BLANK)
        at--;
    if (at == 0)
        return 0;
    enum word_class class = class_at(p, at - 1, separators);
    while (at > 0 && class_at(p, at - 1, separators) == class)
        at--;
    return at;
}

static size_t word_forward(const struct prompt *p, size_t at, const char *separators)
{
    if (at >= p->text.len)
        return at;
    enum word_class class = class_at(p, at, separators);
    while (at < p->text.len && class != WORD_BLANK && class_at(p, at, separators) == class)
        at++;
    while (at < p->text.len && class_at(p, at, separators) == WORD_BLANK)
        at++;
    return at;
}

static size_t word_end(const struct prompt *p, size_t at, const char *separators)
{
    at = next_grapheme(p, at);
    while (at < p->text.len && class_at(p, at, separators) == WORD_BLANK)
        at++;
    if (at >= p->text.len)
        return p->text.len;
    enum word_class class = class_at(p, at, separators);
    while (at < p->text.len && class_at(p, at, separators) == class)
        at++;
    return at;
}

// --- Opening and closing

void prompt_open(struct client *c, const char *label, const char *initial, unsigned flags,
                 const char *type, prompt_fn fn, void (*free_fn)(void *arg), void *arg)
{
    if (c->prompt != NULL)
        prompt_close(c);
    if (c->prompt != NULL) { // the one before opened another while it closed
        if (free_fn != NULL)
            free_fn(arg);
        return;
    }
    struct prompt *p = xcalloc(1, sizeof *p);
    p->label = xstrdup(label == NULL ? "" : label);
    p->initial = xstrdup(initial == NULL ? "" : initial);
    p->flags = flags;
    p->type = prompt_type_from_name(type);
    p->fn = fn;
    p->free_fn = free_fn;
    p->arg = arg;
    p->sign = '=';
    p->is_vi = options_number(prompt_options(c), "status-keys") == 1;
    c->prompt = p;
    client_clear_message(c);
    // An incremental prompt offers its initial text as the one that is looked for again.
    if (!(flags & PROMPT_INCREMENTAL))
        insert(p, p->initial, strlen(p->initial));
    client_redraw(c, REDRAW_STATUS);
    if (flags & PROMPT_INCREMENTAL)
        call_incremental(c, '=');
}

void prompt_close(struct client *c)
{
    if (c->prompt == NULL)
        return;
    if (c->prompt->is_calling)
        detach(c); // from inside its own function, which knows
    else
        call(c, NULL, true);
}

void prompt_free(struct client *c)
{
    struct prompt *p = c->prompt;
    if (p == NULL)
        return;
    c->prompt = NULL;
    p->is_closed = true;
    if (!p->is_calling)
        destroy(p);
}

static void accept(struct client *c)
{
    struct prompt *p = c->prompt;
    if (p->text.len > 0 && !(p->flags & (PROMPT_SINGLE | PROMPT_KEY)))
        prompt_history_add(p->type, text_of(p),
                           (size_t)options_number(server_options(), "prompt-history-limit"));
    char *text = p->flags & PROMPT_INCREMENTAL ? xasprintf("=%s", text_of(p)) : xstrdup(text_of(p));
    call(c, text, true);
    free(text);
}

// --- Keys

// Editing keys have names of their own, so that emacs and vi differ in tables only.
enum action {
    ACTION_NONE,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_HOME,
    ACTION_END,
    ACTION_BACKSPACE,
    ACTION_DELETE,
    ACTION_KILL_ALL,
    ACTION_KILL_END,
    ACTION_KILL_WORD,
    ACTION_WORD_LEFT,
    ACTION_WORD_RIGHT,
    ACTION_YANK,
    ACTION_TRANSPOSE,
    ACTION_OLDER,
    ACTION_NEWER,
    ACTION_COMPLETE,
    ACTION_ACCEPT,
    ACTION_CLOSE,
    ACTION_SEARCH_FORWARD,
    ACTION_SEARCH_BACKWARD,
    ACTION_KILL_WORD_RIGHT,
    // vi's command mode
    ACTION_VI_COMMAND,
    ACTION_VI_INSERT,
    ACTION_VI_INSERT_HOME,
    ACTION_VI_APPEND,
    ACTION_VI_APPEND_END,
    ACTION_VI_CHANGE_LINE,
    ACTION_VI_CHANGE_END,
    ACTION_VI_SUBSTITUTE,
    ACTION_VI_BIG_LEFT,
    ACTION_VI_BIG_RIGHT,
    ACTION_VI_END,
    ACTION_VI_BIG_END,
    ACTION_VI_DELETE_OPERATOR,
    ACTION_VI_CHANGE_OPERATOR,
    ACTION_VI_BACKSPACE,
};
struct key_row {
    key_code key;
    enum action action;
};
#define CTRL(ch)    (KEY_CTRL | (ch))
#define META(ch)    (KEY_META | (ch))
#define SPECIAL(ks) key_special(KS_##ks)
// In emacs and in vi's insert mode.
static const struct key_row edit_keys[] = {
    {SPECIAL(LEFT), ACTION_LEFT},
    {SPECIAL(RIGHT), ACTION_RIGHT},
    {SPECIAL(HOME), ACTION_HOME},
    {SPECIAL(END), ACTION_END},
    {SPECIAL(BSPACE), ACTION_BACKSPACE},
    {CTRL('h'), ACTION_BACKSPACE},
    {SPECIAL(DC), ACTION_DELETE},
    {CTRL('u'), ACTION_KILL_ALL},
    {CTRL('w'), ACTION_KILL_WORD},
    {KEY_CTRL | SPECIAL(LEFT), ACTION_WORD_LEFT},
    {KEY_CTRL | SPECIAL(RIGHT), ACTION_WORD_RIGHT},
    {SPECIAL(UP), ACTION_OLDER},
    {SPECIAL(DOWN), ACTION_NEWER},
    {SPECIAL(TAB), ACTION_COMPLETE},
    {CTRL('i'), ACTION_COMPLETE},
    {SPECIAL(ENTER), ACTION_ACCEPT},
    {SPECIAL(KP_ENTER), ACTION_ACCEPT},
    {CTRL('m'), ACTION_ACCEPT},
    {CTRL('j'), ACTION_ACCEPT},
    {CTRL('c'), ACTION_CLOSE},
    {CTRL('y'), ACTION_YANK},
    {CTRL('r'), ACTION_SEARCH_BACKWARD},
    {CTRL('s'), ACTION_SEARCH_FORWARD},
    {CTRL('p'), ACTION_OLDER},
    {CTRL('n'), ACTION_NEWER},
};
static const struct key_row emacs_keys[] = {
    {CTRL('a'), ACTION_HOME},
    {CTRL('e'), ACTION_END},
    {CTRL('b'), ACTION_LEFT},
    {CTRL('f'), ACTION_RIGHT},
    {CTRL('d'), ACTION_DELETE},
    {CTRL('k'), ACTION_KILL_END},
    {CTRL('t'), ACTION_TRANSPOSE},
    {CTRL('g'), ACTION_CLOSE},
    {SPECIAL(ESCAPE), ACTION_CLOSE},
    {CTRL('['), ACTION_CLOSE},
    {META('b'), ACTION_WORD_LEFT},
    {META('f'), ACTION_WORD_RIGHT},
    {META('d'), ACTION_KILL_WORD_RIGHT},
    {KEY_META | SPECIAL(BSPACE), ACTION_KILL_WORD},
};
static const struct key_row vi_insert_keys[] = {
    {SPECIAL(ESCAPE), ACTION_VI_COMMAND},
    {CTRL('['), ACTION_VI_COMMAND},
    {CTRL('a'), ACTION_HOME},
    {CTRL('e'), ACTION_END},
    {CTRL('k'), ACTION_KILL_END},
    {CTRL('g'), ACTION_CLOSE},
};
static const struct key_row vi_command_keys[] = {
    {'h', ACTION_LEFT},
    {SPECIAL(LEFT), ACTION_LEFT},
    {'l', ACTION_RIGHT},
    {' ', ACTION_RIGHT},
    {SPECIAL(RIGHT), ACTION_RIGHT},
    {'0', ACTION_HOME},
    {'^', ACTION_HOME},
    {SPECIAL(HOME), ACTION_HOME},
    {'$', ACTION_END},
    {SPECIAL(END), ACTION_END},
    {'x', ACTION_DELETE},
    {SPECIAL(DC), ACTION_DELETE},
    {'X', ACTION_BACKSPACE},
    {SPECIAL(BSPACE), ACTION_VI_BACKSPACE},
    {CTRL('h'), ACTION_VI_BACKSPACE},
    {'b', ACTION_WORD_LEFT},
    {'B', ACTION_VI_BIG_LEFT},
    {'w', ACTION_WORD_RIGHT},
    {'W', ACTION_VI_BIG_RIGHT},
    {'e', ACTION_VI_END},
    {'E', ACTION_VI_BIG_END},
    {'i', ACTION_VI_INSERT},
    {'I', ACTION_VI_INSERT_HOME},
    {'a', ACTION_VI_APPEND},
    {'A', ACTION_VI_APPEND_END},
    {'S', ACTION_VI_CHANGE_LINE},
    {'C', ACTION_VI_CHANGE_END},
    {'s', ACTION_VI_SUBSTITUTE},
    {'D', ACTION_KILL_END},
    {'d', ACTION_VI_DELETE_OPERATOR},
    {'c', ACTION_VI_CHANGE_OPERATOR},
    {'p', ACTION_YANK},
    {'k', ACTION_OLDER},
    {'j', ACTION_NEWER},
    {SPECIAL(UP), ACTION_OLDER},
    {SPECIAL(DOWN), ACTION_NEWER},
    {SPECIAL(ENTER), ACTION_ACCEPT},
    {SPECIAL(KP_ENTER), ACTION_ACCEPT},
    {CTRL('m'), ACTION_ACCEPT},
    {CTRL('j'), ACTION_ACCEPT},
    {CTRL('c'), ACTION_CLOSE},
    {CTRL('g'), ACTION_CLOSE},
    {SPECIAL(ESCAPE), ACTION_CLOSE},
    {CTRL('['), ACTION_CLOSE},
    {'q', ACTION_CLOSE},
};

static enum action find_action(const struct key_row *rows, size_t n, key_code key)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].key == key)
            return rows[i].action;
    }
    return ACTION_NONE;
}

static enum action action_of(const struct prompt *p, key_code key)
{
    key &= ~KEY_KEYPAD;
    if (p->is_vi_command)
        return find_action(vi_command_keys, ARRAY_LEN(vi_command_keys), key);
    enum action action = p->is_vi ? find_action(vi_insert_keys, ARRAY_LEN(vi_insert_keys), key)
                                  : find_action(emacs_keys, ARRAY_LEN(emacs_keys), key);
    return action != ACTION_NONE ? action : find_action(edit_keys, ARRAY_LEN(edit_keys), key);
}

static bool yank(struct prompt *p)
{
    if (p->killed != NULL)
        return insert(p, p->killed, strlen(p->killed));
    const struct buffer *b = buffer_top();
    if (b == NULL)
        return false;
    // Its first line, or what comes before the first control character: the rest would be run
    // together.
    size_t n = 0;
    while (n < b->size && (unsigned char)b->data[n] >= 0x20 && b->data[n] != 0x7f)
        n++;
    return insert(p, b->data, n);
}

static bool browse(struct prompt *p, bool is_older)
{
    if (p->history == 0 && is_older) {
        free(p->typed);
        p->typed = xstrdup(text_of(p));
    }
    size_t n = is_older ? p->history + 1 : p->history - 1;
    if (!is_older && p->history == 0)
        return false;
    const char *text = n == 0 ? p->typed : prompt_history_at(p->type, n);
    if (text == NULL)
        return false;
    replace(p, text);
    p->history = n;
    return true;
}

static bool complete(struct client *c, struct prompt *p)
{
    size_t start;
    char *word = prompt_complete(c, p->type, text_of(p), p->cursor, &start, &p->candidates);
    if (word == NULL)
        return false;
    size_t len = strlen(word);
    bool differs = p->cursor - start != len || memcmp(text_of(p) + start, word, len) != 0;
    if (differs) {
        // A space that already follows is not doubled.
        if (len > 0 && word[len - 1] == ' ' && text_of(p)[p->cursor] == ' ')
            word[len - 1] = '\0';
        erase(p, start, p->cursor);
        p->cursor = start;
        insert(p, word, strlen(word));
    }
    free(word);
    return differs;
}

static bool transpose(struct prompt *p)
{
    if (p->cursor == 0 || p->text.len == 0)
        return false;
    size_t mid = p->cursor < p->text.len ? p->cursor : previous_grapheme(p, p->cursor);
    size_t end = next_grapheme(p, mid), start = previous_grapheme(p, mid);
    if (start == mid)
        return false;
    char *first = xstrndup(p->text.data + start, mid - start);
    memmove(p->text.data + start, p->text.data + mid, end - mid);
    memcpy(p->text.data + start + (end - mid), first, mid - start);
    free(first);
    p->cursor = end;
    return true;
}

static bool operate(struct prompt *p, size_t to)
{
    char pending = p->vi_operator;
    p->vi_operator = 0;
    if (pending == 0) {
        p->cursor = to;
        return false;
    }
    size_t at = p->cursor;
    bool changed = kill_text(p, MIN_OF(at, to), MAX_OF(at, to));
    if (pending == 'c')
        p->is_vi_command = false;
    return changed;
}

// Does what edits the text or moves in it. Returns whether the text changed.
static bool edit(struct client *c, struct prompt *p, enum action action, const char *separators)
{
    size_t len = p->text.len;
    switch (action) {
    case ACTION_LEFT:
    case ACTION_VI_BACKSPACE:
        return operate(p, previous_grapheme(p, p->cursor));
    case ACTION_RIGHT:
        return operate(p, next_grapheme(p, p->cursor));
    case ACTION_HOME:
        return operate(p, 0);
    case ACTION_END:
        return operate(p, len);
    case ACTION_WORD_LEFT:
        return operate(p, word_back(p, p->cursor, separators));
    case ACTION_WORD_RIGHT:
        return operate(p, word_forward(p, p->cursor, separators));
    case ACTION_VI_BIG_LEFT:
        return operate(p, word_back(p, p->cursor, ""));
    case ACTION_VI_BIG_RIGHT:
        return operate(p, word_forward(p, p->cursor, ""));
    case ACTION_VI_END:
    case ACTION_VI_BIG_END: {
        size_t end = word_end(p, p->cursor, action == ACTION_VI_END ? separators : "");
        return operate(p, p->vi_operator != 0 ? end : previous_grapheme(p, end));
    }
    case ACTION_BACKSPACE:
        return erase(p, previous_grapheme(p, p->cursor), p->cursor);
    case ACTION_DELETE:
        return erase(p, p->cursor, next_grapheme(p, p->cursor));
    case ACTION_KILL_ALL:
        return kill_text(p, 0, len);
    case ACTION_KILL_END:
        return kill_text(p, p->cursor, len);
    case ACTION_KILL_WORD:
        return kill_text(p, word_back(p, p->cursor, separators), p->cursor);
    case ACTION_KILL_WORD_RIGHT:
        return kill_text(p, p->cursor, word_end(p, p->cursor, separators));
    case ACTION_YANK:
        return yank(p);
    case ACTION_TRANSPOSE:
        return transpose(p);
    case ACTION_OLDER:
        return browse(p, true);
    case ACTION_NEWER:
        return browse(p, false);
    case ACTION_COMPLETE:
        return complete(c, p);
    case ACTION_VI_COMMAND:
        p->is_vi_command = true;
        p->cursor = previous_grapheme(p, p->cursor);
        return false;
    case ACTION_VI_INSERT:
    case ACTION_VI_INSERT_HOME:
    case ACTION_VI_APPEND:
    case ACTION_VI_APPEND_END:
        if (action == ACTION_VI_INSERT_HOME)
            p->cursor = 0;
        else if (action == ACTION_VI_APPEND)
            p->cursor = next_grapheme(p, p->cursor);
        else if (action == ACTION_VI_APPEND_END)
            p->cursor = len;
        p->is_vi_command = false;
        return false;
    case ACTION_VI_CHANGE_LINE:
        p->is_vi_command = false;
        return kill_text(p, 0, len);
    case ACTION_VI_CHANGE_END:
        p->is_vi_command = false;
        return kill_text(p, p->cursor, len);
    case ACTION_VI_SUBSTITUTE:
        p->is_vi_command = false;
        return erase(p, p->cursor, next_grapheme(p, p->cursor));
    case ACTION_VI_DELETE_OPERATOR:
    case ACTION_VI_CHANGE_OPERATOR: {
        char wanted = action == ACTION_VI_DELETE_OPERATOR ? 'd' : 'c';
        if (p->vi_operator != wanted) {
            p->vi_operator = wanted;
            return false;
        }
        p->vi_operator = 0; // dd, cc: the line
        if (wanted == 'c')
            p->is_vi_command = false;
        return kill_text(p, 0, len);
    }
    default:
        return false;
    }
}

static bool is_text_key(key_code key)
{
    return !key_is_special(key) && (key & (KEY_META | KEY_CTRL | KEY_SUPER)) == 0 &&
           !is_control((uint32_t)(key & KEY_MASK));
}

static bool insert_key(struct prompt *p, key_code key)
{
    char text[UTF8_MAX_BYTES];
    return insert(p, text, utf8_encode((uint32_t)(key & KEY_MASK), text));
}

// The digits that a keypad sends are digits in a prompt.
static key_code plain_key(key_code key)
{
    static const struct {
        int ks;
        char ch;
    } keypad[] = {{KS_KP_0, '0'},     {KS_KP_1, '1'},    {KS_KP_2, '2'},     {KS_KP_3, '3'},
                  {KS_KP_4, '4'},     {KS_KP_5, '5'},    {KS_KP_6, '6'},     {KS_KP_7, '7'},
                  {KS_KP_8, '8'},     {KS_KP_9, '9'},    {KS_KP_SLASH, '/'}, {KS_KP_STAR, '*'},
                  {KS_KP_MINUS, '-'}, {KS_KP_PLUS, '+'}, {KS_KP_PERIOD, '.'}};
    for (size_t i = 0; i < ARRAY_LEN(keypad); i++) {
        if ((key & ~KEY_KEYPAD) == key_special(keypad[i].ks))
            return (key_code)keypad[i].ch;
    }
    return key;
}

// Numeric prompts end with the first key that is no digit, which then acts as usual (-N is used for
// repeat counts: 3, then the key).
static void numeric_key(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    struct prompt *p = c->prompt;
    if (key >= '0' && key <= '9') {
        insert_key(p, key);
        client_redraw(c, REDRAW_STATUS);
        return;
    }
    enum action action = action_of(p, key);
    if (action == ACTION_BACKSPACE) {
        edit(c, p, action, "");
        client_redraw(c, REDRAW_STATUS);
        return;
    }
    if (action == ACTION_CLOSE || action == ACTION_VI_COMMAND) {
        call(c, NULL, true);
        return;
    }
    accept(c);
    if (action != ACTION_ACCEPT && c->prompt == NULL)
        input_key(c, key, raw, raw_len);
}

void prompt_key(struct client *c, key_code key, const void *raw, size_t raw_len)
{
    struct prompt *p = c->prompt;
    if (p == NULL || key_is_mouse(key))
        return;
    key = plain_key(key);
    free(p->candidates);
    p->candidates = NULL;
    if (p->flags & PROMPT_KEY) {
        const char *name = key_to_name(key);
        char *text = xstrdup(name);
        call(c, text, true);
        free(text);
        return;
    }
    if (p->flags & PROMPT_NUMERIC) {
        numeric_key(c, key, raw, raw_len);
        return;
    }
    enum action action = action_of(p, key);
    if (p->flags & PROMPT_SINGLE) {
        if (action == ACTION_CLOSE || action == ACTION_VI_COMMAND) {
            call(c, NULL, true);
        } else if (is_text_key(key) && insert_key(p, key)) {
            accept(c);
        } else if (action == ACTION_ACCEPT) {
            accept(c);
        }
        return;
    }

    bool is_text = action == ACTION_NONE && is_text_key(key) && !p->is_vi_command;
    char sign = '=';
    if (action == ACTION_ACCEPT) {
        accept(c);
        return;
    }
    if (action == ACTION_CLOSE) {
        call(c, NULL, true);
        return;
    }
    bool changed;
    if (action == ACTION_SEARCH_FORWARD || action == ACTION_SEARCH_BACKWARD) {
        if (!(p->flags & PROMPT_INCREMENTAL))
            return;
        // With nothing typed, what was looked for last.
        changed = true;
        if (p->text.len == 0)
            replace(p, p->initial);
        else
            sign = action == ACTION_SEARCH_FORWARD ? '+' : '-';
    } else if (is_text) {
        changed = insert_key(p, key);
    } else {
        changed = edit(c, p, action, options_string(prompt_options(c), "word-separators"));
        bool is_operator =
            action == ACTION_VI_DELETE_OPERATOR || action == ACTION_VI_CHANGE_OPERATOR;
        if (!is_operator)
            p->vi_operator = 0;
    }
    client_redraw(c, REDRAW_STATUS);
    if (changed)
        call_incremental(c, sign);
}

void prompt_paste(struct client *c, const void *data, size_t len)
{
    struct prompt *p = c->prompt;
    if (p == NULL || (p->flags & (PROMPT_SINGLE | PROMPT_KEY | PROMPT_NUMERIC)))
        return;
    free(p->candidates);
    p->candidates = NULL;
    p->is_vi_command = false;
    bool changed = insert(p, data, len);
    client_redraw(c, REDRAW_STATUS);
    if (changed)
        call_incremental(c, '=');
}

// --- What is shown

// Columns of markup: of its text, without #[...]; "##" is one.
static unsigned markup_width(const char *s)
{
    struct strbuf plain = {0};
    for (; *s != '\0'; s++) {
        if (s[0] == '#' && s[1] == '[') {
            const char *end = strchr(s, ']');
            if (end == NULL)
                break;
            s = end;
            continue;
        }
        if (s[0] == '#' && s[1] == '#')
            s++;
        strbuf_add_char(&plain, *s);
    }
    unsigned width = plain.data == NULL ? 0 : utf8_string_width(plain.data);
    strbuf_free(&plain);
    return width;
}

static void add_escaped(struct strbuf *out, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '#')
            strbuf_add_char(out, '#');
        strbuf_add_char(out, s[i]);
    }
}

static unsigned width_between(const struct prompt *p, size_t from, size_t to)
{
    char *part = xstrndup(text_of(p) + from, to - from);
    unsigned width = utf8_string_width(part);
    free(part);
    return width;
}

char *prompt_line(struct client *c, unsigned *cursor_col)
{
    struct prompt *p = c->prompt;
    *cursor_col = 0;
    if (p == NULL)
        return xstrdup("");
    struct strbuf out = {0};
    unsigned label = markup_width(p->label), cols = MAX_OF(c->cols, 1);
    // The text keeps some room even beside a label that is as long as the line.
    if (label + MIN_OF(cols / 4, 10u) <= cols)
        strbuf_add_str(&out, p->label);
    else
        label = 0;
    // Drawn from the first character from which the cursor is on the line.
    unsigned room = cols - label;
    size_t from = 0;
    while (from < p->cursor && width_between(p, from, p->cursor) >= room)
        from = next_grapheme(p, from);
    size_t len = utf8_prefix(text_of(p) + from, room);
    add_escaped(&out, text_of(p) + from, len);
    *cursor_col = MIN_OF(label + width_between(p, from, p->cursor), cols - 1);
    if (p->candidates != NULL) {
        // As many as fit behind the text.
        unsigned used = label + width_between(p, from, from + len);
        if (used + 4 < cols) {
            size_t n = utf8_prefix(p->candidates, cols - used - 3);
            strbuf_add_str(&out, " #[dim](");
            add_escaped(&out, p->candidates, n);
            strbuf_add_str(&out, ")");
        }
    }
    return strbuf_take(&out);
}
