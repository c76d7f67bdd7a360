// Fuzz target of the command language: any text parses or is refused, and what is printed of it is
// read back as the same.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/language.h"
#include "tests/parse_outside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_error(void *arg, const char *text)
{
    (void)arg, (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);
    struct command_list *l = command_parse_config(text, NULL, ignore_error, NULL);
    char *printed = command_list_to_text(l, false);
    char *cause = NULL;
    // A text that grew beyond the language's limits may be refused; otherwise it must come back.
    struct command_list *again = command_parse_text(printed, NULL, &cause);
    if (again != NULL) {
        char *twice = command_list_to_text(again, false);
        if (strcmp(printed, twice) != 0)
            abort();
        free(twice);
    } else if (strlen(printed) < 65536) {
        abort();
    }
    command_list_unref(again);
    command_list_unref(l);
    free(cause);
    free(printed);
    free(text);
    return 0;
}
