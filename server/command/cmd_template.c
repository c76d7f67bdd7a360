// Templates of prompts: answers put where %1 to %9 and %% stand.
#include "config.h"

#include <string.h>

#include "server/command/cmd_common.h"

char *cmd_template_replace(const char *template, const char *answer, unsigned n)
{
    struct strbuf out = {0};
    bool replaced = false;

    for (const char *s = template; *s != '\0';) {
        bool is_number = s[0] == '%' && s[1] == (char)('0' + n) && n >= 1 && n <= 9;
        bool is_first = s[0] == '%' && s[1] == '%' && !replaced;
        if (!is_number && !is_first) {
            strbuf_add_char(&out, *s++);
            continue;
        }
        if (is_first)
            replaced = true;
        s += 2;
        bool is_quoted = *s == '%';
        if (is_quoted)
            s++;
        for (const char *a = answer; *a != '\0'; a++) {
            if (is_quoted && strchr("\"\\$;~", *a) != NULL)
                strbuf_add_char(&out, '\\');
            strbuf_add_char(&out, *a);
        }
    }
    return strbuf_take(&out);
}
