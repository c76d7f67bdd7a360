// Messages to the person, kept for show-messages.
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "server/options/options.h"
#include "server/server.h"

#define MESSAGES_MOST 10000u // whatever message-limit says

static struct server_message *messages;
static size_t n_messages;
static unsigned next_number;

static size_t message_limit(void)
{
    struct options *o = server_options();
    if (o == NULL)
        return MESSAGES_MOST;
    long long limit = options_number(o, "message-limit");
    return limit < 0 ? 0 : (size_t)MIN_OF(limit, (long long)MESSAGES_MOST);
}

void server_add_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    log_debug("message: %s", text);

    messages = xreallocarray(messages, n_messages + 1, sizeof *messages);
    messages[n_messages++] = (struct server_message){
        .time = clock_wall_us() / 1000000, .number = next_number++, .text = text};
    size_t limit = message_limit();
    size_t n_drop = n_messages > limit ? n_messages - limit : 0;
    for (size_t i = 0; i < n_drop; i++)
        free(messages[i].text);
    n_messages -= n_drop;
    if (n_drop > 0)
        memmove(messages, messages + n_drop, n_messages * sizeof *messages);
}

size_t server_messages(const struct server_message **out)
{
    *out = messages;
    return n_messages;
}
