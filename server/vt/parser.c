// libvterm's parser behind the gate. Only its parser: neither its state nor its screen is made.
#include "server/vt/parser.h"

#include <stdlib.h>
#include <vterm.h>

#include "server/vt/state.h"

struct parser {
    VTerm *vterm;
    struct vt *vt;
};

static int on_text(const char *bytes, size_t len, void *user)
{
    return (int)vt_put_text(user, bytes, len);
}

static int on_control(unsigned char control, void *user)
{
    vt_control(user, control);
    return 1;
}

static int on_escape(const char *bytes, size_t len, void *user)
{
    vt_escape(user, bytes, len);
    return 1;
}

static int on_csi(const char *leader, const long args[], int n_args, const char *intermediates,
                  char command, void *user)
{
    struct csi csi = {
        .leader = leader != NULL ? leader : "",
        .intermediates = intermediates != NULL ? intermediates : "",
        .final = command,
        .args = args,
        .n_args = n_args,
    };

    vt_csi(user, &csi);
    return 1;
}

static const VTermParserCallbacks callbacks = {
    .text = on_text,
    .control = on_control,
    .escape = on_escape,
    .csi = on_csi,
};

struct parser *parser_new(struct vt *vt)
{
    struct parser *p = xcalloc(1, sizeof *p);

    p->vt = vt;
    p->vterm = vterm_new(1, 1); // the size is its state's, which is not used
    // Bytes from 0x80 on are text then, not C1 controls.
    vterm_set_utf8(p->vterm, 1);
    vterm_parser_set_callbacks(p->vterm, &callbacks, vt);
    return p;
}

void parser_free(struct parser *p)
{
    if (p == NULL)
        return;
    vterm_free(p->vterm);
    free(p);
}

void parser_feed(struct parser *p, const char *data, size_t len)
{
    vterm_input_write(p->vterm, data, len);
}
