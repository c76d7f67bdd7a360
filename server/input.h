// What input.c and input_hold.c share: a client's input, done at once.
#ifndef AMUX_SERVER_INPUT_H
#define AMUX_SERVER_INPUT_H

#include "server/model/client.h"

void input_key_now(struct client *c, key_code key, const void *raw, size_t raw_len);
void input_mouse_now(struct client *c, const struct msg_MOUSE *m);
void input_paste_now(struct client *c, const struct msg_PASTE *m);
void input_hold_stop(struct client *c); // what is held is dropped

#endif
