// Copy mode sessions and what tmux 3.3a leaves after them in a pane of 40 columns and 10 rows that
// printed the text: the cursor, how far it scrolled, and the newest buffer.
#ifndef AMUX_TESTS_COPY_CASES_H
#define AMUX_TESTS_COPY_CASES_H

#include <stdbool.h>
#include <stddef.h>

static const char copy_cases_text[] =
    "first line of all\012"
    "\012"
    "  indented text, with (brackets [and {more}])\012"
    "alpha beta-gamma delta.epsilon  zeta\012"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
    "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
    "\012"
    "\012"
    "para two begins here\012"
    "foo bar foo baz foo\012"
    "Mixed Case FOO Bar\012"
    "trailing spaces   \012"
    "tab\011here\012"
    "a b c d e f g\012"
    "--- *** --- word\012"
    "path/to/some-file_name.txt:42: error: it's bad\012"
    "if (x[1] == {2}) { return f(a, b); }\012"
    "e\314\201 combining accent\012"
    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
    "line number 0 has foo0 in it\012"
    "line number 1 has foo1 in it\012"
    "line number 2 has foo2 in it\012"
    "line number 3 has foo3 in it\012"
    "line number 4 has foo4 in it\012"
    "line number 5 has foo5 in it\012"
    "line number 6 has foo6 in it\012"
    "line number 7 has foo7 in it\012"
    "line number 8 has foo8 in it\012"
    "line number 9 has foo9 in it\012"
    "line number 10 has foo10 in it\012"
    "line number 11 has foo11 in it\012"
    "line number 12 has foo12 in it\012"
    "line number 13 has foo13 in it\012"
    "line number 14 has foo14 in it\012"
    "line number 15 has foo15 in it\012"
    "line number 16 has foo16 in it\012"
    "line number 17 has foo17 in it\012"
    "line number 18 has foo18 in it\012"
    "line number 19 has foo19 in it\012"
    "line number 20 has foo20 in it\012"
    "line number 21 has foo21 in it\012"
    "line number 22 has foo22 in it\012"
    "line number 23 has foo23 in it\012"
    "line number 24 has foo24 in it\012"
    "\012"
    "last block\012"
    "foo end\012"
    "$ ";

struct copy_case {
    bool is_vi;
    const char *commands; // of send-keys -X, parted by ';'; "3:name" has a repeat count
    unsigned x, y, scroll;
    const char *buffer; // NULL: none
};
static const struct copy_case copy_cases[] = {
    {false, "history-top;1:next-word", 6, 0, 43, NULL},
    {false, "history-top;5:next-word", 11, 2, 43, NULL},
    {false, "history-top;23:next-word", 0, 5, 43, NULL},
    {false, "history-top;3:next-word-end", 13, 0, 43, NULL},
    {false, "history-top;14:next-word-end", 2, 3, 43, NULL},
    {false, "history-bottom;2:previous-word", 4, 8, 0, NULL},
    {false, "history-bottom;9:previous-word", 15, 5, 0, NULL},
    {false, "history-top;1:next-space", 6, 0, 43, NULL},
    {false, "history-top;5:next-space", 11, 2, 43, NULL},
    {false, "history-top;23:next-space", 17, 7, 43, NULL},
    {false, "history-top;3:next-space-end", 13, 0, 43, NULL},
    {false, "history-top;14:next-space-end", 36, 4, 43, NULL},
    {false, "history-bottom;2:previous-space", 4, 8, 0, NULL},
    {false, "history-bottom;9:previous-space", 15, 5, 0, NULL},
    {false, "history-top;1:cursor-right", 1, 0, 43, NULL},
    {false, "1:scroll-up", 7, 9, 1, NULL},
    {false, "1:cursor-up;page-up;cursor-up", 30, 7, 8, NULL},
    {false, "begin-selection;1:cursor-left;copy-selection", 1, 9, 0, NULL},
    {false, "history-top;1:cursor-down;5:cursor-right;select-word;next-word;copy-selection", 11, 2, 43,
     "indented text"},
    {false, "history-top;1:cursor-down;end-of-line", 0, 1, 43, NULL},
    {false, "history-top;1:cursor-down;2:jump-to-forward o;jump-again", 0, 1, 43, NULL},
    {false, "history-top;3:cursor-down", 0, 3, 43, NULL},
    {false, "3:page-up", 28, 9, 24, NULL},
    {false, "history-top;begin-selection;3:cursor-down;copy-selection", 0, 3, 43,
     "first line of all\012"
     "\012"
     "  indented text, with (brackets [and {mo"},
    {false, "history-top;9:cursor-right;rectangle-toggle;begin-selection;3:cursor-down;4:cursor-left;copy-selection", 5, 3, 43,
     " line\012"
     "\012"
     "ented\012"},
    {false, "history-top;3:cursor-down;select-line;2:cursor-up;copy-selection", 0, 1, 43,
     "\012"
     "  indented text, with (brackets [and {more}])"},
    {false, "history-top;3:cursor-down;2:cursor-right;start-of-line", 0, 2, 43, NULL},
    {false, "history-top;3:cursor-down;end-of-line;jump-to-backward o;jump-reverse", 40, 2, 43, NULL},
    {false, "8:cursor-up", 30, 1, 0, NULL},
    {false, "history-top;8:page-down", 0, 9, 0, NULL},
    {false, "history-top;4:cursor-right;begin-selection;8:cursor-down;copy-selection", 0, 8, 43,
     "t line of all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"},
    {false, "history-top;8:cursor-down;select-line;copy-selection", 0, 8, 43, NULL},
    {false, "history-top;8:cursor-down;3:cursor-right;2:copy-line", 1, 9, 42,
     "para two begins here\012"
     "foo bar foo baz foo"},
    {false, "history-bottom;8:previous-paragraph", 0, 0, 43, NULL},
    {false, "history-top;20:cursor-right", 1, 2, 43, NULL},
    {false, "20:scroll-up", 28, 9, 20, NULL},
    {false, "goto-line 20", 2, 9, 20, NULL},
    {false, "history-top;6:cursor-right;rectangle-toggle;begin-selection;20:cursor-down;4:cursor-right;copy-selection", 10, 9, 32,
     "line\012"
     "\012"
     "nted\012"
     "\012"
     "beta\012"
     "xxxx\012"
     "d ta\012"
     " wid\012"
     "\012"
     "\012"
     "wo b\012"
     "r fo\012"
     "Case\012"
     "ng s\012"
     "  he\012"
     "d e \012"
     "* --\012"
     "o/so\012"
     "\012"
     "1] =\012"
     "inin"},
    {false, "history-top;20:cursor-down;select-line;2:cursor-down;copy-selection", 40, 9, 30,
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to com"},
    {false, "history-top;20:cursor-down;end-of-line;begin-selection;cursor-down;end-of-line;copy-selection", 35, 9, 29,
     "\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so"},
    {false, "history-top;20:cursor-down;end-of-line;jump-backward e;jump-again", 15, 9, 32, NULL},
    {false, "history-top;60:cursor-down", 0, 9, 0, NULL},
    {false, "60:page-up", 17, 0, 43, NULL},
    {false, "begin-selection;60:cursor-up;copy-selection", 17, 0, 43,
     "\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$"},
    {false, "history-top;9:cursor-right;begin-selection;60:cursor-down;other-end;3:cursor-right;copy-selection", 12, 0, 43,
     "f all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$"},
    {false, "history-top;60:cursor-down;2:cursor-right;back-to-indentation", 0, 9, 0, NULL},
    {false, "history-top;60:cursor-down;jump-forward e", 0, 9, 0, NULL},
    {false, "history-top;100:cursor-right", 34, 4, 43, NULL},
    {false, "100:scroll-up", 0, 9, 43, NULL},
    {false, "goto-line 100", 2, 9, 43, NULL},
    {false, "history-top;6:cursor-right;rectangle-toggle;begin-selection;100:cursor-down;4:cursor-right;copy-selection", 1, 9, 0,
     "line\012"
     "\012"
     "nted\012"
     "\012"
     "beta\012"
     "xxxx\012"
     "d ta\012"
     " wid\012"
     "\012"
     "\012"
     "wo b\012"
     "r fo\012"
     "Case\012"
     "ng s\012"
     "  he\012"
     "d e \012"
     "* --\012"
     "o/so\012"
     "\012"
     "1] =\012"
     "inin\012"
     "yyyy\012"
     "ter \012"
     "l it\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "umbe\012"
     "\012"
     "lock\012"
     "d\012"},
    {false, "history-top;100:cursor-down;3:cursor-right;copy-end-of-line", 1, 9, 0, NULL},
    {false, "history-top;100:next-paragraph", 1, 9, 0, NULL},
    {false, "history-top;100:cursor-down;next-matching-bracket", 1, 9, 0, NULL},
    {false, "history-top;3:cursor-right;200:cursor-down", 1, 9, 0, NULL},
    {false, "history-top;200:halfpage-down", 0, 9, 0, NULL},
    {false, "history-top;4:cursor-right;begin-selection;200:cursor-right;copy-selection", 9, 9, 42,
     "t line of all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two "},
    {false, "history-top;200:cursor-down;select-line;2:cursor-down;copy-selection", 1, 9, 0, "$"},
    {false, "history-top;200:cursor-down;end-of-line;begin-selection;cursor-down;end-of-line;copy-selection", 1, 9, 0, NULL},
    {false, "history-top;200:cursor-down;end-of-line;jump-backward e;jump-again", 1, 9, 0, NULL},
    {false, "history-top;search-forward foo;2:search-again;search-reverse", 16, 8, 40, NULL},
    {false, "search-forward-text foo", 3, 8, 40, NULL},
    {false, "history-top;search-backward-text foo;2:search-again;search-reverse", 22, 4, 0, NULL},
    {false, "search-backward FOO", 11, 8, 39, NULL},
    {false, "history-top;search-forward-text FOO;2:search-again;search-reverse", 11, 8, 39, NULL},
    {false, "search-forward Foo", 2, 9, 0, NULL},
    {false, "history-top;search-backward Foo;2:search-again;search-reverse", 0, 0, 43, NULL},
    {false, "search-backward-text Foo", 2, 9, 0, NULL},
    {false, "history-top;search-forward \346\227\245\346\234\254;2:search-again;search-reverse", 0, 7, 43, NULL},
    {false, "search-forward-text \346\227\245\346\234\254", 4, 7, 43, NULL},
    {false, "history-top;search-backward-text \346\227\245\346\234\254;2:search-again;search-reverse", 21, 7, 43, NULL},
    {false, "search-backward wrapped tail", 0, 6, 43, NULL},
    {false, "history-top;search-forward-text wrapped tail;2:search-again;search-reverse", 0, 6, 43, NULL},
    {false, "search-forward xxwr", 2, 6, 43, NULL},
    {false, "history-top;search-backward xxwr;2:search-again;search-reverse", 2, 6, 43, NULL},
    {false, "search-backward-text xxwr", 38, 5, 43, NULL},
    {false, "history-top;search-forward word after;2:search-again;search-reverse", 39, 8, 30, NULL},
    {false, "search-forward-text word after", 9, 9, 30, NULL},
    {false, "history-top;search-backward-text word after;2:search-again;search-reverse", 9, 9, 30, NULL},
    {false, "search-backward nothinghere", 2, 9, 0, NULL},
    {false, "history-top;search-forward-text nothinghere;2:search-again;search-reverse", 0, 0, 43, NULL},
    {false, "search-forward foo1[0-9]", 24, 8, 17, NULL},
    {false, "search-backward ^foo", 0, 8, 0, NULL},
    {false, "search-forward b.r", 7, 8, 40, NULL},
    {false, "search-backward (a|b)+", 5, 7, 0, NULL},
    {false, "history-top;bottom-line", 0, 9, 43, NULL},
    {false, "history-top;search-forward-incremental =f;search-forward-incremental =fo;search-forward-incremental =foo1", 22, 8, 26, NULL},
    {false, "begin-selection;history-top;page-down;copy-selection", 0, 0, 35,
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$"},
    {true, "history-top;2:next-word", 11, 0, 43, NULL},
    {true, "history-top;9:next-word", 23, 2, 43, NULL},
    {true, "history-top;1:next-word-end", 4, 0, 43, NULL},
    {true, "history-top;5:next-word-end", 9, 2, 43, NULL},
    {true, "history-top;23:next-word-end", 35, 4, 43, NULL},
    {true, "history-bottom;3:previous-word", 0, 8, 0, NULL},
    {true, "history-bottom;14:previous-word", 25, 4, 0, NULL},
    {true, "history-top;2:next-space", 11, 0, 43, NULL},
    {true, "history-top;9:next-space", 37, 2, 43, NULL},
    {true, "history-top;1:next-space-end", 4, 0, 43, NULL},
    {true, "history-top;5:next-space-end", 9, 2, 43, NULL},
    {true, "history-top;23:next-space-end", 15, 7, 43, NULL},
    {true, "history-bottom;3:previous-space", 0, 8, 0, NULL},
    {true, "history-bottom;14:previous-space", 25, 4, 0, NULL},
    {true, "history-top;1:cursor-down", 0, 1, 43, NULL},
    {true, "1:page-up", 30, 9, 8, NULL},
    {true, "history-top;begin-selection;1:cursor-down;copy-selection", 0, 1, 43,
     "first line of all\012"
     "\012"},
    {true, "history-top;9:cursor-right;rectangle-toggle;begin-selection;1:cursor-down;4:cursor-left;copy-selection", 0, 1, 43,
     " line\012"
     "\012"},
    {true, "history-top;1:cursor-down;select-line;2:cursor-up;copy-selection", 0, 0, 43,
     "first line of all\012"
     "\012"},
    {true, "history-top;1:cursor-down;2:cursor-right;start-of-line", 0, 2, 43, NULL},
    {true, "history-top;1:cursor-down;end-of-line;jump-to-backward o;jump-reverse", 0, 1, 43, NULL},
    {true, "3:cursor-up", 0, 6, 0, NULL},
    {true, "history-top;3:page-down", 0, 0, 19, NULL},
    {true, "begin-selection;3:cursor-up;copy-selection", 0, 6, 0,
     "\012"
     "last block\012"
     "foo end\012"
     "$\012"},
    {true, "history-top;9:cursor-right;begin-selection;3:cursor-down;other-end;3:cursor-right;copy-selection", 12, 0, 43,
     "f all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"},
    {true, "history-top;3:cursor-down;3:cursor-right;copy-end-of-line", 3, 3, 43, "])\012"},
    {true, "history-top;3:next-paragraph", 0, 8, 2, NULL},
    {true, "history-top;3:cursor-down;next-matching-bracket", 37, 2, 43, NULL},
    {true, "history-top;3:cursor-right;8:cursor-down", 0, 8, 43, NULL},
    {true, "history-top;8:halfpage-down", 0, 0, 3, NULL},
    {true, "history-top;4:cursor-right;begin-selection;8:cursor-right;copy-selection", 12, 0, 43,
     "t line of"},
    {true, "history-top;8:cursor-down;3:cursor-right;select-word;copy-selection", 3, 9, 42,
     "para"},
    {true, "history-top;8:cursor-down;2:cursor-right;back-to-indentation", 0, 9, 42, NULL},
    {true, "history-top;8:cursor-down;jump-forward e", 0, 8, 43, NULL},
    {true, "history-top;20:cursor-right", 1, 2, 43, NULL},
    {true, "20:scroll-up", 28, 9, 20, NULL},
    {true, "goto-line 20", 2, 9, 20, NULL},
    {true, "history-top;6:cursor-right;rectangle-toggle;begin-selection;20:cursor-down;4:cursor-right;copy-selection", 10, 9, 32,
     "line \012"
     "\012"
     "nted \012"
     "\012"
     "beta-\012"
     "xxxxx\012"
     "d tai\012"
     " wide\012"
     "\012"
     "\012"
     "wo be\012"
     "r foo\012"
     "Case \012"
     "ng sp\012"
     "  her\012"
     "d e f\012"
     "* ---\012"
     "o/som\012"
     "\012"
     "1] ==\012"
     "ining"},
    {true, "history-top;20:cursor-down;select-line;2:cursor-down;copy-selection", 40, 9, 30,
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to com"},
    {true, "history-top;20:cursor-down;end-of-line;begin-selection;cursor-down;end-of-line;copy-selection", 35, 9, 29,
     "\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"},
    {true, "history-top;20:cursor-down;end-of-line;jump-backward e;jump-again", 15, 9, 32, NULL},
    {true, "history-top;60:cursor-down", 0, 9, 0, NULL},
    {true, "60:page-up", 17, 0, 43, NULL},
    {true, "begin-selection;60:cursor-up;copy-selection", 17, 0, 43,
     "\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$\012"},
    {true, "history-top;9:cursor-right;begin-selection;60:cursor-down;other-end;3:cursor-right;copy-selection", 12, 0, 43,
     "f all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$\012"},
    {true, "history-top;60:cursor-down;3:cursor-right;copy-end-of-line", 1, 9, 0, "\012"},
    {true, "history-top;60:next-paragraph", 1, 9, 0, NULL},
    {true, "history-top;60:cursor-down;next-matching-bracket", 0, 9, 0, NULL},
    {true, "history-top;3:cursor-right;100:cursor-down", 1, 9, 0, NULL},
    {true, "history-top;100:halfpage-down", 0, 9, 0, NULL},
    {true, "history-top;4:cursor-right;begin-selection;100:cursor-right;copy-selection", 1, 5, 43,
     "t line of all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xx"},
    {true, "history-top;100:cursor-down;3:cursor-right;select-word;copy-selection", 0, 9, 0, "$"},
    {true, "history-top;100:cursor-down;2:cursor-right;back-to-indentation", 0, 9, 0, NULL},
    {true, "history-top;100:cursor-down;jump-forward e", 0, 9, 0, NULL},
    {true, "history-top;200:cursor-right", 5, 9, 42, NULL},
    {true, "200:scroll-up", 0, 9, 43, NULL},
    {true, "goto-line 200", 2, 9, 43, NULL},
    {true, "history-top;6:cursor-right;rectangle-toggle;begin-selection;200:cursor-down;4:cursor-right;copy-selection", 1, 9, 0,
     "line \012"
     "\012"
     "nted \012"
     "\012"
     "beta-\012"
     "xxxxx\012"
     "d tai\012"
     " wide\012"
     "\012"
     "\012"
     "wo be\012"
     "r foo\012"
     "Case \012"
     "ng sp\012"
     "  her\012"
     "d e f\012"
     "* ---\012"
     "o/som\012"
     "\012"
     "1] ==\012"
     "ining\012"
     "yyyyy\012"
     "ter w\012"
     "l it \012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "umber\012"
     "\012"
     "lock\012"
     "d\012"
     "\012"},
    {true, "history-top;200:cursor-down;select-line;2:cursor-down;copy-selection", 1, 9, 0,
     "$\012"},
    {true, "history-top;200:cursor-down;end-of-line;begin-selection;cursor-down;end-of-line;copy-selection", 1, 9, 0,
     "\012"},
    {true, "history-top;200:cursor-down;end-of-line;jump-backward e;jump-again", 1, 9, 0, NULL},
    {true, "history-top;search-forward foo;2:search-again;search-reverse", 8, 8, 40, NULL},
    {true, "history-top;search-backward foo;2:search-again;search-reverse", 19, 5, 0, NULL},
    {true, "history-top;search-forward-text foo;2:search-again;search-reverse", 8, 8, 40, NULL},
    {true, "history-top;search-backward-text foo;2:search-again;search-reverse", 19, 5, 0, NULL},
    {true, "history-top;search-forward FOO;2:search-again;search-reverse", 11, 8, 39, NULL},
    {true, "history-top;search-backward FOO;2:search-again;search-reverse", 11, 8, 39, NULL},
    {true, "history-top;search-forward-text FOO;2:search-again;search-reverse", 11, 8, 39, NULL},
    {true, "history-top;search-backward-text FOO;2:search-again;search-reverse", 11, 8, 39, NULL},
    {true, "history-top;search-forward Foo;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-backward Foo;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-forward-text Foo;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-backward-text Foo;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-forward \346\227\245\346\234\254;2:search-again;search-reverse", 17, 7, 43, NULL},
    {true, "history-top;search-backward \346\227\245\346\234\254;2:search-again;search-reverse", 0, 7, 43, NULL},
    {true, "history-top;search-forward-text \346\227\245\346\234\254;2:search-again;search-reverse", 17, 7, 43, NULL},
    {true, "history-top;search-backward-text \346\227\245\346\234\254;2:search-again;search-reverse", 0, 7, 43, NULL},
    {true, "history-top;search-forward wrapped tail;2:search-again;search-reverse", 0, 6, 43, NULL},
    {true, "history-top;search-backward wrapped tail;2:search-again;search-reverse", 0, 6, 43, NULL},
    {true, "history-top;search-forward-text wrapped tail;2:search-again;search-reverse", 0, 6, 43, NULL},
    {true, "history-top;search-backward-text wrapped tail;2:search-again;search-reverse", 0, 6, 43, NULL},
    {true, "history-top;search-forward xxwr;2:search-again;search-reverse", 38, 5, 43, NULL},
    {true, "history-top;search-backward xxwr;2:search-again;search-reverse", 38, 5, 43, NULL},
    {true, "history-top;search-forward-text xxwr;2:search-again;search-reverse", 38, 5, 43, NULL},
    {true, "history-top;search-backward-text xxwr;2:search-again;search-reverse", 38, 5, 43, NULL},
    {true, "history-top;search-forward word after;2:search-again;search-reverse", 39, 8, 30, NULL},
    {true, "history-top;search-backward word after;2:search-again;search-reverse", 39, 8, 30, NULL},
    {true, "history-top;search-forward-text word after;2:search-again;search-reverse", 39, 8, 30, NULL},
    {true, "history-top;search-backward-text word after;2:search-again;search-reverse", 39, 8, 30, NULL},
    {true, "history-top;search-forward nothinghere;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-backward nothinghere;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-forward-text nothinghere;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "history-top;search-backward-text nothinghere;2:search-again;search-reverse", 0, 0, 43, NULL},
    {true, "30:cursor-up;begin-selection;search-forward foo1[0-9];copy-selection", 19, 8, 17,
     "e until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has f"},
    {true, "30:cursor-up;begin-selection;search-forward ^foo;copy-selection", 0, 8, 0,
     "e until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "f"},
    {true, "30:cursor-up;begin-selection;search-forward [[:digit:]]+ has;copy-selection", 12, 2, 21,
     "e until it wraps again, twice or so\012"
     "line number 0"},
    {true, "30:cursor-up;begin-selection;search-forward b.r;copy-selection", 8, 2, 21,
     "e until it wraps again, twice or so\012"
     "line numb"},
    {true, "30:cursor-up;begin-selection;search-forward (a|b)+;copy-selection", 13, 1, 21,
     "e until it wra"},
    {true, "bottom-line", 0, 9, 0, NULL},
    {true, "history-top;search-forward-incremental =foo;search-forward-incremental +foo", 8, 8, 40, NULL},
    {true, "history-top;begin-selection;history-bottom;copy-selection", 1, 9, 0,
     "first line of all\012"
     "\012"
     "  indented text, with (brackets [and {more}])\012"
     "alpha beta-gamma delta.epsilon  zeta\012"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxwrapped tail of a long line\012"
     "\346\227\245\346\234\254\350\252\236 wide text \346\227\245\346\234\254 end\012"
     "\012"
     "\012"
     "para two begins here\012"
     "foo bar foo baz foo\012"
     "Mixed Case FOO Bar\012"
     "trailing spaces\012"
     "tab     here\012"
     "a b c d e f g\012"
     "--- *** --- word\012"
     "path/to/some-file_name.txt:42: error: it's bad\012"
     "if (x[1] == {2}) { return f(a, b); }\012"
     "e\314\201 combining accent\012"
     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy word after wrap here and more text to come until it wraps again, twice or so\012"
     "line number 0 has foo0 in it\012"
     "line number 1 has foo1 in it\012"
     "line number 2 has foo2 in it\012"
     "line number 3 has foo3 in it\012"
     "line number 4 has foo4 in it\012"
     "line number 5 has foo5 in it\012"
     "line number 6 has foo6 in it\012"
     "line number 7 has foo7 in it\012"
     "line number 8 has foo8 in it\012"
     "line number 9 has foo9 in it\012"
     "line number 10 has foo10 in it\012"
     "line number 11 has foo11 in it\012"
     "line number 12 has foo12 in it\012"
     "line number 13 has foo13 in it\012"
     "line number 14 has foo14 in it\012"
     "line number 15 has foo15 in it\012"
     "line number 16 has foo16 in it\012"
     "line number 17 has foo17 in it\012"
     "line number 18 has foo18 in it\012"
     "line number 19 has foo19 in it\012"
     "line number 20 has foo20 in it\012"
     "line number 21 has foo21 in it\012"
     "line number 22 has foo22 in it\012"
     "line number 23 has foo23 in it\012"
     "line number 24 has foo24 in it\012"
     "\012"
     "last block\012"
     "foo end\012"
     "$\012"},
};

#endif
