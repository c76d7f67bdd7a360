// Runs the fuzz target of the terminal over inputs made from fixed seeds: bytes put together from
// pieces that terminals choke on. It fails by aborting.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "tests/fuzz/vt.h"

static uint64_t state;

static unsigned below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

static void add_piece(struct strbuf *b)
{
    static const char *const texts[] = {
        "abc",
        "hello world ",
        "\r\n",
        "\n",
        "\r",
        "\b",
        "\t",
        "\033[",
        "\033]",
        "\033P",
        "\033_",
        "\033\\",
        "\007",
        "\033(0",
        "\033(B",
        "\016",
        "\017",
        "\033M",
        "\033D",
        "\033E",
        "\0337",
        "\0338",
        "\033c",
        "\033#8",
        "\033[!p",
        "\346\251\213",
        "\346\251\213\346\251\213",
        "e\314\201",
        "\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247",
        "\342\235\244\357\270\217",
        "\360\237\207\270\360\237\207\254",
        "\360\237\207\270",
        "\314\201",
        "\342\200\215",
        "\377",
        "\342\200",
        "\303",
        "\033[?1049h",
        "\033[?1049l",
        "\033[?47h",
        "\033[?47l",
        "\033[?7l",
        "\033[?7h",
        "\033[4h",
        "\033[4l",
        "\033[?6h",
        "\033[?6l",
        "\033[?69h",
        "\033[?69l",
        "\033[?2026h",
        "\033[?2026l",
        "\033[?45h",
        "\033[20h",
        "\033]8;;http://a\033\\",
        "\033]8;;\007",
        "\033]0;t\007",
        "\033]11;#123456\007",
        "\033]111\007",
        "\033]133;A\007",
        "\033[1\"q",
        "\033[0\"q",
        "\033[38;2;1;2;3;48;5;7m",
        "\033[4:3;58:2::1:2:3m",
        "\033[0m",
        "\033[41m",
        "\033[2J",
        "\033[3J",
        "\033[J",
        "\033[1J",
        "\033[K",
        "\033[1K",
        "\033[2K",
        "\033[?2J",
        "\030",
        "\033[H",
        "\033[6n",
        "\033[c",
    };
    static const char finals[] = "@ABCDEFGHIJKLMPSTXZ`abcdefghlmnrstu}~";
    static const char *const between[] = {"",  "",  "",  "",   "",  "?", ">",
                                          "=", "!", "'", "\"", " ", "$"};

    switch (below(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        strbuf_add_str(b, texts[below(ARRAY_LEN(texts))]);
        break;
    case 4:
    case 5: {
        const char *mark = between[below(ARRAY_LEN(between))];
        bool leads = *mark == '?' || *mark == '>' || *mark == '=';

        strbuf_addf(b, "\033[%s", leads ? mark : "");
        for (unsigned n = below(6) == 0 ? below(80) : below(4); n > 0; n--)
            strbuf_addf(b, below(4) ? "%u%c" : "%.0u%c", below(below(9) ? 14 : 100000),
                        below(9) ? ';' : ':');
        strbuf_addf(b, "%s%c", leads ? "" : mark, finals[below(sizeof finals - 1)]);
        break;
    }
    case 6:
        strbuf_addf(b, "\377%c%c%c", (int)below(256), (int)below(256), (int)below(256));
        break;
    default:
        strbuf_add_char(b, (char)below(256));
        break;
    }
}

START_TEST(nothing_that_a_program_prints_breaks_an_invariant)
{
    state = 0x9E3779B97F4A7C15ull * (uint64_t)(_i + 1);
    for (unsigned round = 0; round < 400; round++) {
        struct strbuf b = {0};

        strbuf_add_char(&b, (char)below(256));
        strbuf_add_char(&b, (char)below(256));
        for (unsigned n = below(200); n > 0; n--)
            add_piece(&b);
        LLVMFuzzerTestOneInput((const uint8_t *)b.data, b.len);
        strbuf_free(&b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vt_seeds");
    TCase *c = tcase_create("seeds");
    const char *from = getenv("VT_SEED_FROM"), *count = getenv("VT_SEEDS");
    int first = from != NULL ? atoi(from) : 0;
    SRunner *r;
    int failed;

    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, nothing_that_a_program_prints_breaks_an_invariant, first,
                        first + (count != NULL ? atoi(count) : 8));
    suite_add_tcase(s, c);
    r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
