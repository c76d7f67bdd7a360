// History of a screen: packed rows back to back in blocks, oldest first, bounded in rows and bytes.
//
// A block holds whole logical lines where it can (it grows rather than be cut inside a soft-wrapped
// line), so that a new width can be given to one block without looking at the others.
#ifndef AMUX_SERVER_GRID_HISTORY_H
#define AMUX_SERVER_GRID_HISTORY_H

#include "common/row.h"
#include "common/util.h"
#include "server/grid/view.h"

struct history;

struct history *history_new(unsigned max_rows, size_t max_bytes);
void history_free(struct history *h);
void history_set_limits(struct history *h, unsigned max_rows, size_t max_bytes);
void history_clear(struct history *h);
// Adds the newest row (packed). `flags` are its row flags, `cols` its columns.
void history_push(struct history *h, const void *data, size_t len, struct row_tag tag,
                  unsigned flags, unsigned cols);
unsigned history_rows(const struct history *h);
size_t history_bytes(const struct history *h);     // memory held
uint64_t history_dropped(const struct history *h); // rows that fell off the old end, ever
// Row n, 0 the oldest: NULL if there is none. Valid until history changes.
const void *history_get(const struct history *h, unsigned n, size_t *len, struct row_tag *tag);
bool history_newest_is_wrapped(const struct history *h);
// Takes the newest row away; its bytes are appended to *out. False if there is none.
bool history_pop(struct history *h, struct strbuf *out);
// Begins to lay every row out for `cols`, newest first: the newest block at once, the others by
// steps. Rows not reached yet are given as they are. New rows get ids from *next_id, which must
// outlive the history. Limits are not enforced until rows are added, so that a width tried for a
// moment costs no text.
void history_reflow(struct history *h, unsigned cols, uint64_t *next_id);
bool history_needs_reflow(const struct history *h);
// Goes on for about budget_us microseconds (at least one block, of 64 kB). Row numbers shift.
void history_reflow_step(struct history *h, int64_t budget_us);

#endif
