// Targets as tmux writes them: "session:window.pane", ids, names, patterns, offsets and places.
#include "config.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/command.h"
#include "server/command/language.h"
#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"

// What is being looked up; the parts are NULL when they were not given.
struct lookup {
    struct target *out;
    struct target current; // what parts that are missing mean
    bool has_current;
    unsigned flags;
    const char *session, *window, *pane;
    bool is_exact_session, is_exact_window;
    bool is_window_only; // a colon stood before it: it cannot be a session
    bool is_pane_only;   // a period stood before it
    bool is_session_itself; // the window part named a session: no index was given
};

struct word_form {
    const char *word, *form;
};
static const struct word_form window_words[] = {
    {"{start}", "^"}, {"{last}", "!"}, {"{end}", "$"}, {"{next}", "+"}, {"{previous}", "-"},
};
static const struct word_form pane_words[] = {
    {"{last}", "!"},
    {"{next}", "+"},
    {"{previous}", "-"},
    {"{top}", "top"},
    {"{bottom}", "bottom"},
    {"{left}", "left"},
    {"{right}", "right"},
    {"{top-left}", "top-left"},
    {"{top-right}", "top-right"},
    {"{bottom-left}", "bottom-left"},
    {"{bottom-right}", "bottom-right"},
};

static const char *map_word(const struct word_form *table, size_t n, const char *word)
{
    for (size_t i = 0; word != NULL && i < n; i++) {
        if (strcmp(table[i].word, word) == 0)
            return table[i].form;
    }
    return word;
}

static bool number(const char *s, long long min, long long max, long long *out)
{
    const char *why;
    return parse_number(s, min, max, out, &why);
}

// --- Sessions

static struct session *find_session(const char *name, bool is_exact)
{
    struct session *s, *found = NULL;
    long long id;

    if (name[0] == '$' && number(name + 1, 0, UINT_MAX, &id)) {
        s = session_by_id((unsigned)id);
        if (s != NULL)
            return s;
    }
    if ((s = session_by_name(name)) != NULL)
        return s;
    struct client *c = target_find_client(name, NULL);
    if (c != NULL)
        return c->session;
    if (is_exact)
        return NULL;

    // A name that more than one session could be means none.
    size_t len = strlen(name);
    TAILQ_FOREACH(s, &all_sessions, entry) {
        if (s->is_destroyed || strncmp(s->name, name, len) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = s;
    }
    if (found != NULL)
        return found;
    TAILQ_FOREACH(s, &all_sessions, entry) {
        if (s->is_destroyed || fnmatch(name, s->name, 0) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = s;
    }
    return found;
}

// --- Windows

static void use_winlink(struct lookup *l, struct winlink *wl)
{
    target_from_winlink(l->out, wl);
}

static struct winlink *winlink_offset(struct session *s, const char *offset, long long n)
{
    struct winlink *wl = s->current;
    size_t count = 0;

    for (struct winlink *each = TAILQ_FIRST(&s->winlinks); each != NULL; each = TAILQ_NEXT(each, entry))
        count++;
    if (wl == NULL || count == 0)
        return NULL;
    for (n %= (long long)count; n > 0; n--) {
        if (offset[0] == '+') {
            wl = TAILQ_NEXT(wl, entry);
            if (wl == NULL)
                wl = TAILQ_FIRST(&s->winlinks);
        } else {
            wl = TAILQ_PREV(wl, winlinks, entry);
            if (wl == NULL)
                wl = TAILQ_LAST(&s->winlinks, winlinks);
        }
    }
    return wl;
}

enum name_match { MATCH_EXACT, MATCH_PREFIX, MATCH_PATTERN };

// The window of s whose name matches; *is_ambiguous if several do.
static struct winlink *winlink_by_name(struct session *s, const char *name, enum name_match how, bool *is_ambiguous)
{
    struct winlink *wl, *found = NULL;
    size_t len = strlen(name);

    *is_ambiguous = false;
    TAILQ_FOREACH(wl, &s->winlinks, entry) {
        const char *window = wl->window->name == NULL ? "" : wl->window->name;
        bool matches = how == MATCH_EXACT    ? strcmp(window, name) == 0
                       : how == MATCH_PREFIX ? strncmp(window, name, len) == 0
                                             : fnmatch(name, window, 0) == 0;
        if (!matches)
            continue;
        if (found != NULL) {
            *is_ambiguous = true;
            return NULL;
        }
        found = wl;
    }
    return found;
}

static bool window_by_offset(struct lookup *l, struct session *s, const char *window)
{
    long long n = 1;
    if (window[1] != '\0' && !number(window + 1, 1, INT_MAX, &n))
        n = 1;
    if ((l->flags & TARGET_WINDOW_INDEX) == 0) {
        struct winlink *wl = winlink_offset(s, window, n);
        if (wl == NULL)
            return false;
        use_winlink(l, wl);
        return true;
    }
    if (s->current == NULL)
        return false;
    long long index = window[0] == '+' ? s->current->index + n : s->current->index - n;
    if (index < 0 || index > INT_MAX)
        return false;
    struct winlink *wl = winlink_by_index(s, (int)index);
    if (wl != NULL) {
        use_winlink(l, wl);
    } else {
        *l->out = (struct target){.session = s, .index = (int)index};
    }
    return true;
}

// A window of the session s.
static bool find_window_in(struct lookup *l, struct session *s, const char *window)
{
    struct winlink *wl = NULL;
    long long n;

    if (window[0] == '@') {
        struct window *w = number(window + 1, 0, UINT_MAX, &n) ? window_by_id((unsigned)n) : NULL;
        wl = w == NULL ? NULL : winlink_by_window(s, w);
        if (w != NULL && s->current != NULL && s->current->window == w)
            wl = s->current;
        if (wl == NULL)
            return false;
        use_winlink(l, wl);
        return true;
    }
    if (!l->is_exact_window) {
        if ((window[0] == '+' || window[0] == '-') && (window[1] == '\0' || number(window + 1, 1, INT_MAX, &n)))
            return window_by_offset(l, s, window);
        bool is_place = true;
        if (strcmp(window, "!") == 0)
            wl = TAILQ_FIRST(&s->last_winlinks);
        else if (strcmp(window, "^") == 0)
            wl = TAILQ_FIRST(&s->winlinks);
        else if (strcmp(window, "$") == 0)
            wl = TAILQ_LAST(&s->winlinks, winlinks);
        else
            is_place = false;
        if (wl != NULL)
            use_winlink(l, wl);
        if (is_place)
            return wl != NULL;
    }
    if (number(window, 0, INT_MAX, &n)) {
        wl = winlink_by_index(s, (int)n);
        if (wl != NULL) {
            use_winlink(l, wl);
            return true;
        }
        if ((l->flags & TARGET_WINDOW_INDEX) != 0) {
            *l->out = (struct target){.session = s, .index = (int)n};
            return true;
        }
    }
    bool is_ambiguous;
    for (enum name_match how = MATCH_EXACT; how <= MATCH_PATTERN; how++) {
        wl = winlink_by_name(s, window, how, &is_ambiguous);
        if (wl != NULL) {
            use_winlink(l, wl);
            return true;
        }
        if (is_ambiguous || l->is_exact_window)
            return false;
    }
    return false;
}

// A window named without a session: by its id anywhere, in the current session, or a session's
// current one.
static bool find_window(struct lookup *l, const char *window)
{
    long long id;

    if (window[0] == '@') {
        struct window *w = number(window + 1, 0, UINT_MAX, &id) ? window_by_id((unsigned)id) : NULL;
        if (w == NULL)
            return false;
        // In the current session if it is there too, else where it was used last.
        if (l->has_current && winlink_by_window(l->current.session, w) != NULL)
            return find_window_in(l, l->current.session, window);
        return target_from_window(l->out, w);
    }
    if (l->has_current && find_window_in(l, l->current.session, window))
        return true;
    if (l->is_window_only)
        return false;
    struct session *s = find_session(window, l->is_exact_window);
    if (s == NULL || s->current == NULL)
        return false;
    target_from_session(l->out, s);
    l->is_session_itself = true;
    return true;
}

// --- Panes

static bool is_inside(const struct pane *p, unsigned x, unsigned y)
{
    // A border belongs to the pane on its left or above.
    return x >= p->x && x <= p->x + p->cols && y >= p->y && y <= p->y + p->rows;
}

static struct pane *pane_by_place(struct window *w, const char *place)
{
    static const struct {
        const char *name;
        unsigned x, y; // halves of the window: 0 left or top, 1 the middle, 2 right or bottom
    } places[] = {
        {"top", 1, 0},       {"bottom", 1, 2},      {"left", 0, 1},        {"right", 2, 1},
        {"top-left", 0, 0},  {"top-right", 2, 0},   {"bottom-left", 0, 2}, {"bottom-right", 2, 2},
    };
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        if (strcmp(places[i].name, place) != 0 || w->cols == 0 || w->rows == 0)
            continue;
        unsigned x = (w->cols - 1) * places[i].x / 2, y = (w->rows - 1) * places[i].y / 2;
        struct pane *p;
        TAILQ_FOREACH(p, &w->panes, entry) {
            if (is_inside(p, x, y))
                return p;
        }
    }
    return NULL;
}

static struct pane *pane_by_offset(struct window *w, char sign, long long n)
{
    struct pane *p = w->active;
    long long count = window_count_panes(w);

    if (p == NULL || count == 0)
        return NULL;
    for (n %= count; n > 0; n--) {
        if (sign == '+') {
            p = TAILQ_NEXT(p, entry);
            if (p == NULL)
                p = TAILQ_FIRST(&w->panes);
        } else {
            p = TAILQ_PREV(p, window_panes, entry);
            if (p == NULL)
                p = TAILQ_LAST(&w->panes, window_panes);
        }
    }
    return p;
}

// A pane of the window w; NULL: none of that name.
static struct pane *find_pane_in_window(struct window *w, const char *pane)
{
    static const struct {
        const char *word;
        enum layout_direction to;
    } neighbours[] = {
        {"{up-of}", TO_UP}, {"{down-of}", TO_DOWN}, {"{left-of}", TO_LEFT}, {"{right-of}", TO_RIGHT},
    };
    long long n = 1;

    if (pane[0] == '%') {
        struct pane *p = number(pane + 1, 0, UINT_MAX, &n) ? pane_by_id((unsigned)n) : NULL;
        return p != NULL && p->window == w ? p : NULL;
    }
    if (strcmp(pane, "!") == 0)
        return TAILQ_FIRST(&w->last_panes);
    for (size_t i = 0; i < ARRAY_LEN(neighbours); i++) {
        if (strcmp(pane, neighbours[i].word) == 0)
            return w->active == NULL ? NULL : window_find_pane(w, w->active, neighbours[i].to);
    }
    if (pane[0] == '+' || pane[0] == '-') {
        if (pane[1] != '\0' && !number(pane + 1, 1, INT_MAX, &n))
            return NULL;
        return pane_by_offset(w, pane[0], n);
    }
    if (number(pane, 0, INT_MAX, &n)) {
        n -= options_number(w->options, "pane-base-index");
        return n < 0 ? NULL : window_pane_at_index(w, (unsigned)n);
    }
    return pane_by_place(w, pane);
}

static bool find_pane(struct lookup *l, const char *pane)
{
    long long id;

    if (pane[0] == '%') {
        struct pane *p = number(pane + 1, 0, UINT_MAX, &id) ? pane_by_id((unsigned)id) : NULL;
        if (p == NULL)
            return false;
        if (l->has_current && l->current.window == p->window) {
            *l->out = l->current;
            l->out->pane = p;
            return true;
        }
        target_from_pane(l->out, p);
        return l->out->session != NULL;
    }
    if (l->has_current && l->current.window != NULL) {
        struct pane *p = find_pane_in_window(l->current.window, pane);
        if (p != NULL) {
            *l->out = l->current;
            l->out->pane = p;
            return true;
        }
    }
    return !l->is_pane_only && find_window(l, pane);
}

static bool find_pane_in_session(struct lookup *l, struct session *s, const char *pane)
{
    long long id;

    target_from_session(l->out, s);
    if (pane[0] == '%') {
        struct pane *p = number(pane + 1, 0, UINT_MAX, &id) ? pane_by_id((unsigned)id) : NULL;
        struct winlink *wl = p == NULL ? NULL : winlink_by_window(s, p->window);
        if (wl == NULL)
            return false;
        use_winlink(l, wl);
        l->out->pane = p;
        return true;
    }
    if (l->out->window == NULL)
        return false;
    l->out->pane = find_pane_in_window(l->out->window, pane);
    return l->out->pane != NULL;
}

static bool find_pane_in_found_window(struct lookup *l, const char *pane)
{
    if (l->out->window == NULL)
        return false;
    l->out->pane = find_pane_in_window(l->out->window, pane);
    return l->out->pane != NULL;
}

// --- The whole

// Under the mouse: the event of the key that is running.
static bool find_mouse(struct target *out, enum command_target kind)
{
    const struct key_event *ev = cmdq_event_now();

    if (ev == NULL || !ev->is_mouse)
        return false;
    if (kind == TARGET_PANE && ev->pane != NULL) {
        target_from_pane(out, ev->pane);
        if (ev->session != NULL) {
            struct winlink *wl = winlink_by_window(ev->session, ev->pane->window);
            if (wl != NULL) {
                target_from_winlink(out, ev->session->current != NULL && ev->session->current->window == wl->window
                                             ? ev->session->current
                                             : wl);
                out->pane = ev->pane;
            }
        }
        return out->session != NULL;
    }
    if (ev->winlink != NULL) {
        target_from_winlink(out, ev->winlink);
        return true;
    }
    if (ev->pane != NULL) {
        target_from_pane(out, ev->pane);
        return out->session != NULL;
    }
    if (ev->session != NULL && kind == TARGET_SESSION) {
        target_from_session(out, ev->session);
        return true;
    }
    return false;
}

static bool find_marked(struct target *out)
{
    struct pane *p;

    TAILQ_FOREACH(p, &all_panes, all_entry) {
        if (p == marked_pane) {
            target_from_pane(out, p);
            return out->session != NULL;
        }
    }
    return false;
}

static const char *without_equals(const char *part, bool *is_exact)
{
    *is_exact = part != NULL && *part == '=';
    if (*is_exact)
        part++;
    return part == NULL || *part == '\0' ? NULL : part;
}

// Cuts `text` (changed) into the parts that stand in it.
static void split(struct lookup *l, char *text, enum command_target kind)
{
    char *colon = strchr(text, ':');
    char *period = strchr(colon == NULL ? text : colon, '.');

    if (colon != NULL)
        *colon++ = '\0';
    if (period != NULL)
        *period++ = '\0';
    if (colon != NULL) {
        l->session = text;
        l->window = colon;
        l->pane = period;
    } else if (period != NULL) {
        l->window = text;
        l->pane = period;
    } else if (*text == '$') {
        l->session = text;
    } else if (*text == '@') {
        l->window = text;
    } else if (*text == '%') {
        l->pane = text;
    } else if (kind == TARGET_SESSION) {
        l->session = text;
    } else if (kind == TARGET_WINDOW) {
        l->window = text;
    } else {
        l->pane = text;
    }
    l->is_window_only = colon != NULL;
    l->is_pane_only = period != NULL;
    l->session = without_equals(l->session, &l->is_exact_session);
    l->window = without_equals(l->window, &l->is_exact_window);
    if (l->pane != NULL && *l->pane == '\0')
        l->pane = NULL;
    l->window = map_word(window_words, ARRAY_LEN(window_words), l->window);
    l->pane = map_word(pane_words, ARRAY_LEN(pane_words), l->pane);
}

static char *not_found(const char *what, const char *name)
{
    char *visible = text_visible(name);
    char *cause = xasprintf("can't find %s: %s", what, visible);
    free(visible);
    return cause;
}

// Returns NULL, or what is not there (owned).
static char *look_up(struct lookup *l)
{
    if (l->pane != NULL && (l->flags & TARGET_WINDOW_INDEX) != 0)
        return xstrdup("can't specify pane here");
    if (l->session != NULL) {
        struct session *s = find_session(l->session, l->is_exact_session);
        if (s == NULL)
            return not_found("session", l->session);
        if (l->window != NULL) {
            if (!find_window_in(l, s, l->window))
                return not_found("window", l->window);
            if (l->pane != NULL && !find_pane_in_found_window(l, l->pane))
                return not_found("pane", l->pane);
        } else if (l->pane != NULL) {
            if (!find_pane_in_session(l, s, l->pane))
                return not_found("pane", l->pane);
        } else {
            target_from_session(l->out, s);
        }
        return NULL;
    }
    if (l->window != NULL) {
        if (!find_window(l, l->window))
            return not_found("window", l->window);
        if (l->pane != NULL && !find_pane_in_found_window(l, l->pane))
            return not_found("pane", l->pane);
        return NULL;
    }
    if (l->pane != NULL)
        return find_pane(l, l->pane) ? NULL : not_found("pane", l->pane);
    if (!l->has_current)
        return xstrdup("no current target");
    *l->out = l->current;
    return NULL;
}

bool target_find(struct target *out, const struct target *current, struct client *c, const char *target,
                 enum command_target kind, unsigned flags, char **cause)
{
    struct lookup l = {.out = out, .flags = flags};
    char *why = NULL;

    *out = (struct target){.index = -1};
    if (current != NULL && target_is_valid(current)) {
        l.current = *current;
        l.has_current = true;
    } else {
        l.has_current = target_default(&l.current, c, false);
    }
    l.current.index = -1;

    bool is_empty = target == NULL || *target == '\0';
    if (is_empty && (flags & TARGET_DEFAULT_MARKED) != 0 && find_marked(out)) {
        // found
    } else if (is_empty) {
        struct target preferred;
        *out = l.current;
        if (!l.has_current) {
            why = xstrdup("no current target");
        } else if ((flags & TARGET_PREFER_UNATTACHED) != 0 && target_default(&preferred, c, false) &&
                   preferred.session == l.current.session && target_default(&preferred, c, true)) {
            // Nobody has chosen the current one: rather a session that no client shows.
            *out = preferred;
        }
    } else if (strcmp(target, "=") == 0 || strcmp(target, "{mouse}") == 0) {
        if (!find_mouse(out, kind))
            why = xstrdup("no mouse target");
    } else if (strcmp(target, "~") == 0 || strcmp(target, "{marked}") == 0) {
        if (!find_marked(out))
            why = xstrdup("no marked target");
    } else {
        char *text = xstrdup(target);
        split(&l, text, kind);
        why = look_up(&l);
        // An index was asked for, and one that exists was named: its being in use is the handler's.
        if (why == NULL && (flags & TARGET_WINDOW_INDEX) != 0 && l.window != NULL && out->winlink != NULL &&
            !l.is_session_itself)
            out->index = out->winlink->index;
        free(text);
    }
    if (why == NULL)
        return true;
    *out = (struct target){.index = -1};
    if (cause != NULL)
        *cause = why;
    else
        free(why);
    return false;
}
