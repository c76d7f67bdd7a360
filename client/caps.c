// Reading a terminal's capabilities: terminfo entries, kinds known by name, overrides.
#include "config.h"

#include "client/caps.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curses.h>
#include <term.h>

#include "common/util.h"

// A feature holds if the capability, given these parameters, comes out as the text.
static const struct {
    enum feature feature;
    const char *cap;
    int p1, p2; // -1: the capability takes none
    const char *text;
} feature_rows[] = {
    {FEATURE_EL, "el", -1, -1, "\033[K"},
    {FEATURE_EL1, "el1", -1, -1, "\033[1K"},
    {FEATURE_ED, "ed", -1, -1, "\033[J"},
    {FEATURE_ECH, "ech", 5, -1, "\033[5X"},
    {FEATURE_CSR, "csr", 1, 4, "\033[2;5r"},
    {FEATURE_IND, "ind", -1, -1, "\n"},
    {FEATURE_INDN, "indn", 5, -1, "\033[5S"},
    {FEATURE_RI, "ri", -1, -1, "\033M"},
    {FEATURE_RIN, "rin", 5, -1, "\033[5T"},
    {FEATURE_HPA, "hpa", 4, -1, "\033[5G"},
    {FEATURE_VPA, "vpa", 4, -1, "\033[5d"},
    {FEATURE_CUF, "cuf", 5, -1, "\033[5C"},
    {FEATURE_CUB, "cub", 5, -1, "\033[5D"},
    {FEATURE_CUU, "cuu", 5, -1, "\033[5A"},
    {FEATURE_CUD, "cud", 5, -1, "\033[5B"},
    {FEATURE_REP, "rep", 'x', 5, "x\033[4b"},
    {FEATURE_BOLD, "bold", -1, -1, "\033[1m"},
    {FEATURE_DIM, "dim", -1, -1, "\033[2m"},
    {FEATURE_ITALIC, "sitm", -1, -1, "\033[3m"},
    {FEATURE_UNDERLINE, "smul", -1, -1, "\033[4m"},
    {FEATURE_BLINK, "blink", -1, -1, "\033[5m"},
    {FEATURE_REVERSE, "rev", -1, -1, "\033[7m"},
    {FEATURE_HIDDEN, "invis", -1, -1, "\033[8m"},
    {FEATURE_STRIKE, "smxx", -1, -1, "\033[9m"},
    {FEATURE_SGR_OFF, "rmul", -1, -1, "\033[24m"},
    {FEATURE_OP, "op", -1, -1, "\033[39;49m"},
    {FEATURE_UNDERLINES, "Smulx", 3, -1, "\033[4:3m"},
    {FEATURE_OVERLINE, "Smol", -1, -1, "\033[53m"},
    {FEATURE_CURSOR_SHAPE, "Ss", 4, -1, "\033[4 q"},
    {FEATURE_TITLE, "tsl", -1, -1, "\033]0;"},
};

#define BIT(f) (UINT64_C(1) << (f))
#define XTERM_LIKE                                                                                  \
    (BIT(FEATURE_MOUSE) | BIT(FEATURE_FOCUS) | BIT(FEATURE_PASTE) | BIT(FEATURE_TITLE) |            \
     BIT(FEATURE_CLIPBOARD) | BIT(FEATURE_CURSOR_SHAPE) | BIT(FEATURE_CURSOR_COLOUR) |              \
     BIT(FEATURE_EXTENDED_KEYS) | BIT(FEATURE_LINKS) | BIT(FEATURE_QUERIES) |                       \
     BIT(FEATURE_STATUS_REPORT))
#define MULTIPLEXER                                                                                 \
    (BIT(FEATURE_MOUSE) | BIT(FEATURE_FOCUS) | BIT(FEATURE_PASTE) | BIT(FEATURE_TITLE) |            \
     BIT(FEATURE_STATUS_REPORT))
#define MODERN                                                                                      \
    (XTERM_LIKE | BIT(FEATURE_RGB) | BIT(FEATURE_UNDERLINES) | BIT(FEATURE_UNDERLINE_COLOUR) |      \
     BIT(FEATURE_STRIKE) | BIT(FEATURE_SYNC))

// What a kind of terminal has beyond its entry. The name is the beginning of TERM or of the
// terminal's own name, without regard to case.
static const struct terminal_kind {
    const char *name;
    uint64_t features;
    bool is_modern; // as TERM without an entry it is taken as xterm-256color
} kinds[] = {
    {"xterm-kitty", MODERN | BIT(FEATURE_OVERLINE), true},
    {"xterm-ghostty", MODERN | BIT(FEATURE_OVERLINE), true},
    {"xterm", XTERM_LIKE, true},
    {"kitty", MODERN | BIT(FEATURE_OVERLINE), true},
    {"ghostty", MODERN | BIT(FEATURE_OVERLINE), true},
    {"foot", MODERN | BIT(FEATURE_OVERLINE), true},
    {"wezterm", MODERN | BIT(FEATURE_OVERLINE), true},
    {"alacritty", MODERN, true},
    {"contour", MODERN | BIT(FEATURE_OVERLINE), true},
    {"rio", MODERN, true},
    {"iterm2", MODERN | BIT(FEATURE_OVERLINE), true},
    {"warp", MODERN, true},
    {"mintty", MODERN | BIT(FEATURE_OVERLINE), true},
    {"konsole", XTERM_LIKE | BIT(FEATURE_RGB) | BIT(FEATURE_STRIKE), true},
    {"vte", XTERM_LIKE | BIT(FEATURE_RGB) | BIT(FEATURE_STRIKE) | BIT(FEATURE_UNDERLINES) |
                BIT(FEATURE_UNDERLINE_COLOUR) | BIT(FEATURE_OVERLINE), true},
    {"st-", XTERM_LIKE & ~BIT(FEATURE_LINKS), true},
    {"rxvt-unicode", XTERM_LIKE & ~BIT(FEATURE_EXTENDED_KEYS), true},
    {"linux", BIT(FEATURE_STATUS_REPORT), false},
    {"vt", BIT(FEATURE_STATUS_REPORT), false}, // DEC's since the VT100
    {"screen", MULTIPLEXER, false},
    {"tmux", MULTIPLEXER | BIT(FEATURE_CLIPBOARD) | BIT(FEATURE_CURSOR_SHAPE), false},
    {"amux", MULTIPLEXER | BIT(FEATURE_CLIPBOARD) | BIT(FEATURE_CURSOR_SHAPE), false},
};

// Keys' strings in terminfo; those of the standard forms are decoded without them too.
static const struct {
    const char *cap;
    key_code key;
} key_rows[] = {
    {"kcuu1", key_special(KS_UP)},    {"kcud1", key_special(KS_DOWN)},
    {"kcub1", key_special(KS_LEFT)},  {"kcuf1", key_special(KS_RIGHT)},
    {"khome", key_special(KS_HOME)},  {"kend", key_special(KS_END)},
    {"kich1", key_special(KS_IC)},    {"kdch1", key_special(KS_DC)},
    {"knp", key_special(KS_NPAGE)},   {"kpp", key_special(KS_PPAGE)},
    {"kcbt", key_special(KS_BTAB)},   {"kf1", key_special(KS_F1)},
    {"kf2", key_special(KS_F2)},      {"kf3", key_special(KS_F3)},
    {"kf4", key_special(KS_F4)},      {"kf5", key_special(KS_F5)},
    {"kf6", key_special(KS_F6)},      {"kf7", key_special(KS_F7)},
    {"kf8", key_special(KS_F8)},      {"kf9", key_special(KS_F9)},
    {"kf10", key_special(KS_F10)},    {"kf11", key_special(KS_F11)},
    {"kf12", key_special(KS_F12)},    {"kent", key_special(KS_KP_ENTER) | KEY_KEYPAD},
};

// The string without its padding ($<5>), owned by the caller; "" if there is none.
static char *string_without_padding(const char *s)
{
    struct strbuf b = {0};
    strbuf_add_str(&b, "");
    if (s == NULL || s == (const char *)-1)
        return strbuf_take(&b);
    while (*s != '\0') {
        if (s[0] == '$' && s[1] == '<') {
            const char *end = strchr(s, '>');
            if (end != NULL) {
                s = end + 1;
                continue;
            }
        }
        strbuf_add_char(&b, *s++);
    }
    return strbuf_take(&b);
}

static char *cap_string(const char *name)
{
    return string_without_padding(tigetstr(name));
}

static char *cap_expanded(const char *name, int p1, int p2)
{
    const char *s = tigetstr(name);
    if (s == NULL || s == (const char *)-1)
        return xstrdup("");
    if (p1 < 0)
        return string_without_padding(s);
    return string_without_padding(p2 < 0 ? tiparm(s, p1) : tiparm(s, p1, p2));
}

static const struct terminal_kind *kind_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strncasecmp(name, kinds[i].name, strlen(kinds[i].name)) == 0)
            return &kinds[i];
    }
    return NULL;
}

static bool cap_is(const char *name, int p1, int p2, const char *text)
{
    char *s = cap_expanded(name, p1, p2);
    bool is_same = strcmp(s, text) == 0;
    free(s);
    return is_same;
}

static void caps_read_features(struct caps *c)
{
    for (size_t i = 0; i < ARRAY_LEN(feature_rows); i++) {
        if (cap_is(feature_rows[i].cap, feature_rows[i].p1, feature_rows[i].p2,
                   feature_rows[i].text))
            caps_add_feature(c, feature_rows[i].feature);
    }
    static const struct {
        const char *cap;
        enum feature feature;
    } flags[] = {
        {"am", FEATURE_AM},  {"xenl", FEATURE_XENL}, {"bce", FEATURE_BCE},
        {"RGB", FEATURE_RGB}, {"Tc", FEATURE_RGB},
    };
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (tigetflag(flags[i].cap) > 0)
            caps_add_feature(c, flags[i].feature);
    }
    // RGB may be a number or a string as well (bits of each colour).
    if (tigetnum("RGB") > 0)
        caps_add_feature(c, FEATURE_RGB);
    if (strstr(c->civis, "\033[?25l") != NULL && strstr(c->cnorm, "\033[?25h") != NULL)
        caps_add_feature(c, FEATURE_CIVIS);
    char *setulc = cap_string("Setulc");
    if (strncmp(setulc, "\033[58", 4) == 0)
        caps_add_feature(c, FEATURE_UNDERLINE_COLOUR);
    free(setulc);
    char *ms = cap_string("Ms");
    if (strncmp(ms, "\033]52;", 5) == 0)
        caps_add_feature(c, FEATURE_CLIPBOARD);
    free(ms);
    if (tigetflag("XT") > 0)
        c->known |= XTERM_LIKE;

    int colours = tigetnum("colors");
    c->known_colours = 0;
    if (colours >= 8 && cap_is("setaf", 1, -1, "\033[31m"))
        c->known_colours = colours >= 256 ? 256 : colours >= 16 ? 16 : 8;
}

static void caps_read_acs(struct caps *c)
{
    char *acsc = cap_string("acsc");
    for (const char *s = acsc; s[0] != '\0' && s[1] != '\0'; s += 2) {
        if ((unsigned char)s[0] < sizeof c->acs && (unsigned char)s[1] >= 0x20)
            c->acs[(unsigned char)s[0]] = s[1];
    }
    free(acsc);
    if (c->smacs[0] == '\0' || c->rmacs[0] == '\0')
        memset(c->acs, 0, sizeof c->acs);
}

static void caps_read_keys(struct caps *c)
{
    c->keys = xcalloc(ARRAY_LEN(key_rows), sizeof *c->keys);
    for (size_t i = 0; i < ARRAY_LEN(key_rows); i++) {
        char *bytes = cap_string(key_rows[i].cap);
        // One byte alone is a control key that has its own meaning.
        if (bytes[0] == '\033' && bytes[1] != '\0')
            c->keys[c->n_keys++] = (struct key_string){bytes, key_rows[i].key};
        else
            free(bytes);
    }
}

static bool entry_read(const char *name, int fd)
{
    int error;
    // The library keeps one description as the current one; the one before is given back.
    TERMINAL *before = cur_term;
    bool is_there = setupterm(name, fd, &error) == OK;
    if (before != NULL && cur_term != before)
        del_curterm(before);
    return is_there;
}

struct caps *caps_load(const char *term, int fd, char **cause, char **note)
{
    *cause = NULL;
    *note = NULL;
    if (term == NULL || *term == '\0') {
        *cause = xstrdup("TERM is not set; set it to the kind of this terminal, "
                         "for example TERM=xterm-256color");
        return NULL;
    }
    const char *entry = term;
    const struct terminal_kind *kind = kind_find(term);
    if (!entry_read(term, fd)) {
        char *name = text_visible(term);
        entry = NULL;
        if (kind != NULL && kind->is_modern) {
            if (entry_read("xterm-256color", fd))
                entry = "xterm-256color";
            else if (entry_read("xterm", fd))
                entry = "xterm";
        }
        if (entry == NULL)
            *cause = xasprintf("TERM is %s, a terminal that has no terminfo entry here; set TERM "
                               "to one that has, for example TERM=xterm-256color", name);
        else
            *note = xasprintf("TERM %s has no entry here, taken as %s", name, entry);
        free(name);
        if (entry == NULL)
            return NULL;
    }
    if (!cap_is("cup", 4, 5, "\033[5;6H")) {
        char *name = text_visible(term);
        *cause = xasprintf("the terminal %s cannot move its cursor as amux needs it; use another, "
                           "or set TERM to what it really is", name);
        free(name);
        return NULL;
    }

    struct caps *c = xcalloc(1, sizeof *c);
    c->name = xstrdup(term);
    c->term = xstrdup(entry);
    c->smcup = cap_string("smcup");
    c->rmcup = cap_string("rmcup");
    c->entry_smcup = xstrdup(c->smcup);
    c->entry_rmcup = xstrdup(c->rmcup);
    c->smkx = cap_string("smkx");
    c->rmkx = cap_string("rmkx");
    c->civis = cap_string("civis");
    c->cnorm = cap_string("cnorm");
    c->smacs = cap_string("smacs");
    c->rmacs = cap_string("rmacs");
    c->enacs = cap_string("enacs");
    c->clear = cap_string("clear");
    caps_read_features(c);
    caps_read_acs(c);
    caps_read_keys(c);
    caps_add_kind(c, term);
    return c;
}

void caps_free(struct caps *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->n_keys; i++)
        free(c->keys[i].bytes);
    free(c->keys);
    free(c->name);
    free(c->term);
    free(c->entry_smcup);
    free(c->entry_rmcup);
    TERMINAL *current = cur_term;
    if (current != NULL) {
        set_curterm(NULL);
        del_curterm(current);
    }
    free(c->option_texts);
    free(c->smcup);
    free(c->rmcup);
    free(c->smkx);
    free(c->rmkx);
    free(c->civis);
    free(c->cnorm);
    free(c->smacs);
    free(c->rmacs);
    free(c->enacs);
    free(c->clear);
    free(c);
}

static void caps_settle(struct caps *c)
{
    c->features = (c->known | c->added) & ~c->removed;
    c->colours = c->added_colours != 0 ? c->added_colours : c->known_colours;
    // Who shows true colours shows those of the palette.
    if ((c->added & BIT(FEATURE_RGB)) != 0 && c->added_colours == 0)
        c->colours = 256;
}

void caps_add_feature(struct caps *c, enum feature f)
{
    c->known |= BIT(f);
    caps_settle(c);
}

void caps_set_colours(struct caps *c, unsigned colours)
{
    c->known_colours = colours;
    caps_settle(c);
}

void caps_add_kind(struct caps *c, const char *name)
{
    const struct terminal_kind *kind = kind_find(name);
    if (kind != NULL)
        c->known |= kind->features;
    caps_settle(c);
}

// --- options

// Names of terminal-features, as in tmux; what amux has no use for is not here.
static const struct {
    const char *name;
    uint64_t features;
} option_features[] = {
    {"RGB", BIT(FEATURE_RGB)},
    {"bpaste", BIT(FEATURE_PASTE)},
    {"ccolour", BIT(FEATURE_CURSOR_COLOUR)},
    {"clipboard", BIT(FEATURE_CLIPBOARD)},
    {"cstyle", BIT(FEATURE_CURSOR_SHAPE)},
    {"extkeys", BIT(FEATURE_EXTENDED_KEYS)},
    {"focus", BIT(FEATURE_FOCUS)},
    {"hyperlinks", BIT(FEATURE_LINKS)},
    {"mouse", BIT(FEATURE_MOUSE)},
    {"overline", BIT(FEATURE_OVERLINE)},
    {"strikethrough", BIT(FEATURE_STRIKE)},
    {"sync", BIT(FEATURE_SYNC)},
    {"title", BIT(FEATURE_TITLE)},
    {"usstyle", BIT(FEATURE_UNDERLINES) | BIT(FEATURE_UNDERLINE_COLOUR)},
};
// Capabilities of terminal-overrides besides those of feature_rows.
static const struct {
    const char *name;
    enum feature feature;
} option_caps[] = {
    {"RGB", FEATURE_RGB},         {"Tc", FEATURE_RGB},
    {"bce", FEATURE_BCE},         {"am", FEATURE_AM},
    {"xenl", FEATURE_XENL},       {"Ms", FEATURE_CLIPBOARD},
    {"Se", FEATURE_CURSOR_SHAPE}, {"Setulc", FEATURE_UNDERLINE_COLOUR},
    {"XT", FEATURE_TITLE},        {"Cs", FEATURE_CURSOR_COLOUR},
    {"Sync", FEATURE_SYNC},       {"Hls", FEATURE_LINKS},
    {"kmous", FEATURE_MOUSE},     {"Enfcs", FEATURE_FOCUS},
    {"Enbp", FEATURE_PASTE},      {"Eneks", FEATURE_EXTENDED_KEYS},
    {"civis", FEATURE_CIVIS},
};

static void option_apply(struct caps *c, uint64_t features, bool is_removed)
{
    if (is_removed) {
        c->removed |= features;
        c->added &= ~features;
    } else {
        c->added |= features;
        c->removed &= ~features;
    }
}

static void feature_apply(struct caps *c, const char *word)
{
    size_t len = strcspn(word, "@=");
    if (len == 3 && strncmp(word, "256", len) == 0) {
        c->added_colours = word[len] == '@' ? 0 : 256;
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(option_features); i++) {
        if (strlen(option_features[i].name) == len &&
            strncasecmp(word, option_features[i].name, len) == 0)
            option_apply(c, option_features[i].features, word[len] == '@');
    }
}

// One capability of an override: a name, "name@" (taken away) or "name=value". Values do not matter:
// what is used has one form; but for the number of colours.
static void override_apply(struct caps *c, const char *cap)
{
    size_t len = strcspn(cap, "@=");
    bool is_removed = cap[len] == '@';

    if (len == 5 && (strncmp(cap, "smcup", 5) == 0 || strncmp(cap, "rmcup", 5) == 0)) {
        if (is_removed)
            (cap[0] == 's' ? c->smcup : c->rmcup)[0] = '\0';
        return;
    }
    if (len == 6 && strncmp(cap, "colors", 6) == 0) {
        unsigned long n = cap[len] == '=' ? strtoul(cap + len + 1, NULL, 0) : 0;
        c->added_colours = n >= 256 ? 256 : n >= 16 ? 16 : n >= 8 ? 8 : 0;
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(option_caps); i++) {
        if (strlen(option_caps[i].name) == len && strncmp(cap, option_caps[i].name, len) == 0)
            option_apply(c, BIT(option_caps[i].feature), is_removed);
    }
    for (size_t i = 0; i < ARRAY_LEN(feature_rows); i++) {
        if (strlen(feature_rows[i].cap) == len && strncmp(cap, feature_rows[i].cap, len) == 0)
            option_apply(c, BIT(feature_rows[i].feature), is_removed);
    }
}

// The next word of an entry, without its escapes; NULL: there is none. Changes the text.
static char *entry_word(char **rest)
{
    char *word = *rest, *to = word, *from = word;
    if (word == NULL)
        return NULL;
    while (*from != '\0' && (from[0] != ':' || from[1] == ':')) {
        if (*from == ':')
            from++;
        *to++ = *from++;
    }
    *rest = *from == ':' ? from + 1 : NULL;
    *to = '\0';
    return word;
}

static void entries_apply(struct caps *c, const char *text,
                          void (*apply)(struct caps *c, const char *word))
{
    char *copy = xstrdup(text), *rest = copy, *entry, *word;
    while ((entry = strsep(&rest, ",")) != NULL) {
        word = entry_word(&entry);
        if (word == NULL || fnmatch(word, c->name, 0) != 0)
            continue;
        while ((word = entry_word(&entry)) != NULL)
            apply(c, word);
    }
    free(copy);
}

bool caps_set_options(struct caps *c, const char *features, const char *overrides)
{
    char *texts = xasprintf("%s\n%s", features, overrides);
    if (c->option_texts != NULL && strcmp(texts, c->option_texts) == 0) {
        free(texts);
        return false;
    }
    free(c->option_texts);
    c->option_texts = texts;
    c->added = c->removed = 0;
    c->added_colours = 0;
    memcpy(c->smcup, c->entry_smcup, strlen(c->entry_smcup) + 1); // of one length
    memcpy(c->rmcup, c->entry_rmcup, strlen(c->entry_rmcup) + 1);
    entries_apply(c, features, feature_apply);
    entries_apply(c, overrides, override_apply);
    caps_settle(c);
    return true;
}
