// Links of windows that get another index in their session.
#include "config.h"

#include "server/model/client.h"
#include "server/model/model.h"
#include "server/options/options.h"

bool session_move_winlink(struct winlink *wl, int index)
{
    struct session *s = wl->session;
    struct winlink *at;

    if (wl->index == index)
        return true;
    if (index < 0 || winlink_by_index(s, index) != NULL)
        return false;
    TAILQ_REMOVE(&s->winlinks, wl, entry);
    wl->index = index;
    TAILQ_FOREACH (at, &s->winlinks, entry) {
        if (at->index > index)
            break;
    }
    if (at != NULL)
        TAILQ_INSERT_BEFORE(at, wl, entry);
    else
        TAILQ_INSERT_TAIL(&s->winlinks, wl, entry);
    session_group_sync(s);
    redraw_session(s, REDRAW_STATUS);
    return true;
}

void session_renumber_winlinks(struct session *s)
{
    int index = (int)options_number(s->options, "base-index");
    struct winlink *wl;

    // In their order, so that none passes another.
    TAILQ_FOREACH (wl, &s->winlinks, entry)
        wl->index = index++;
    session_group_sync(s);
    redraw_session(s, REDRAW_STATUS);
}
