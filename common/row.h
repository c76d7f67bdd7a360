// Packed rows: one row of a screen as bytes, the same in history, on the wire and on disk.
//
// Layout (numbers are LEB128 varints): flags, columns (cells; trailing default blanks are left
// out), number of styles and each style, number of style runs and each run (cells, style), the
// text. With ROW_ASCII the text is a byte a cell (0 for a blank); else each cell is a byte
// (length of its UTF-8 << 1 | wide), then the UTF-8; a wide cell's tail is not stored.
#ifndef AMUX_COMMON_ROW_H
#define AMUX_COMMON_ROW_H

#include "common/cell.h"
#include "common/util.h"

enum row_flag {
    ROW_WRAPPED = 1 << 0,      // soft-wrapped: the text goes on in the next row
    ROW_ASCII = 1 << 1,        // set by the packer
    ROW_PROMPT = 1 << 2,       // OSC 133;A: a shell prompt begins here
    ROW_OUTPUT = 1 << 3,       // OSC 133;C: a command's output begins here
    ROW_DOUBLE_WIDTH = 1 << 4, // DECDWL
    ROW_DOUBLE_TOP = 1 << 5,
    ROW_DOUBLE_BOTTOM = 1 << 6,
};

// A row being packed, cell by cell. Style 0 (the default) is implied.
struct row_packer;
struct row_packer *row_packer_new(void); // reusable; keeps its buffers
void row_packer_free(struct row_packer *p);
void row_packer_begin(struct row_packer *p, unsigned flags);
// Replaces the flags given to begin, for who learns only at the end whether the row wraps.
void row_packer_set_flags(struct row_packer *p, unsigned flags);
unsigned row_packer_cols(const struct row_packer *p); // columns added so far
// Adds `n` cells in `style`. `link` is copied where it is needed. For plain runs: one printable ASCII byte a cell (0 or ' ' for blank).
void row_packer_ascii(struct row_packer *p, const struct style *style, const char *link,
                      const char *text, size_t n);
// Adds one cell holding `utf8` (may be empty: blank); is_wide cells count two columns.
void row_packer_cell(struct row_packer *p, const struct style *style, const char *link,
                     const char *utf8, size_t len, bool is_wide);
// Adds cells in one style that stand in `data` as a row that is not ASCII holds them (above): n
// cells, `cols` columns, the last of them not blank.
void row_packer_encoded(struct row_packer *p, const struct style *style, const char *link,
                        const void *data, size_t len, unsigned n, unsigned cols);
// Appends the packed row to `out`.
void row_packer_end(struct row_packer *p, struct strbuf *out);

#define ROW_READER_MARKS 16u

// Reading. Returns false on damaged data; never reads beyond len, never allocates.
struct row_reader {
    const uint8_t *data;
    size_t len;
    unsigned flags;
    unsigned cols;
    // cursor of row_reader_next
    unsigned n_styles, runs_left, run_left, run_style;
    size_t runs_at, text_at;
    // Where styles stand, so that a row of as many styles as cells is not read over for each cell:
    // the one behind style `last_style`, and each `mark_step`-th.
    unsigned last_style, mark_step;
    size_t next_style_at, marks[ROW_READER_MARKS];
    struct style style; // of the run, and its link
    const char *link;
    size_t link_len;
};
struct row_cell {
    struct style style;
    const char *link; // not NUL-terminated, link_len bytes: "id;uri" as in OSC 8; NULL: none
    size_t link_len;
    const char *text; // UTF-8, text_len bytes; 0: blank
    size_t text_len;
    bool is_wide;
};
bool row_reader_init(struct row_reader *r, const void *data, size_t len);
// The next cell in order; false at the end or if damaged (r->cols tells which: cells not given).
bool row_reader_next(struct row_reader *r, struct row_cell *cell);
// The row's text without styles, blanks as spaces, trailing blanks cut unless keep_blanks.
void row_to_text(const void *data, size_t len, bool keep_blanks, struct strbuf *out);

#endif
