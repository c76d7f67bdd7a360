// Acknowledging frames: terminals that answer at once, late, never, twice and wrongly.
#include <check.h>
#include <stdlib.h>

#include "client/pace.h"
#include "common/util.h"

#define MS INT64_C(1000)
#define SECOND INT64_C(1000000)

static struct pace p;
static uint64_t end;      // of the terminal's output
static uint32_t seq;
static bool was_asked;

static void setup(void)
{
    pace_init(&p, true);
    end = 0;
    seq = 0;
}

static void draw(size_t bytes, int64_t now)
{
    was_asked = pace_wants_question(&p, bytes, now);
    end += bytes + (was_asked ? 4 : 0);
    pace_add(&p, ++seq, bytes, was_asked, end, now);
}

// Everything is written; returns the newest frame acknowledged now, 0 if none; adds up the bytes.
static uint32_t acked(int64_t now, uint32_t *bytes)
{
    struct pace_ack ack = {0};
    uint32_t sum = 0;
    pace_written(&p, end, now);
    while (pace_next(&p, end, now, &ack))
        sum += ack.bytes;
    if (bytes != NULL)
        *bytes = sum;
    return ack.seq;
}

START_TEST(small_frames_are_acknowledged_when_written)
{
    struct pace_ack ack;
    draw(100, 1);
    draw(100, 2);
    ck_assert(!was_asked);
    ck_assert(!pace_next(&p, 50, 3, &ack));
    ck_assert(pace_next(&p, 100, 3, &ack));
    ck_assert_uint_eq(ack.seq, 1);
    ck_assert_uint_eq(ack.rtt_us, 0);
    ck_assert_uint_eq(acked(4, NULL), 2);
    ck_assert_int_eq(pace_due(&p, end).clock, DUE_NEVER);
    ck_assert_int_eq(pace_leave_wait_us(&p, false), 0);
}
END_TEST

START_TEST(larger_ones_when_the_terminal_answers)
{
    struct pace_ack ack;
    draw(5000, 1 * SECOND);
    ck_assert(was_asked);
    draw(10, 1 * SECOND + 1);
    ck_assert(!was_asked);
    ck_assert_uint_eq(acked(1 * SECOND + 2, NULL), 0);
    ck_assert_int_eq(pace_leave_wait_us(&p, false), SECOND); // nothing measured yet
    pace_answered(&p, end, 1 * SECOND + 40 * MS);
    ck_assert(pace_next(&p, end, 1 * SECOND + 40 * MS, &ack));
    ck_assert_uint_eq(ack.seq, 1);
    ck_assert_uint_eq(ack.rtt_us, 40 * MS);
    ck_assert_uint_eq(acked(1 * SECOND + 40 * MS, NULL), 2);
    ck_assert_int_eq(pace_leave_wait_us(&p, false), 0);
    draw(5000, 2 * SECOND);
    pace_written(&p, end, 2 * SECOND);
    ck_assert_int_ge(pace_leave_wait_us(&p, false), 2 * 39 * MS);
    ck_assert_int_le(pace_leave_wait_us(&p, false), 2 * 41 * MS);
}
END_TEST

START_TEST(a_silent_terminal_is_given_100_kB_a_second_until_it_answers)
{
    uint32_t sum, bytes;
    draw(5000, 1 * SECOND);
    draw(3000, 1 * SECOND);
    ck_assert_uint_eq(acked(1 * SECOND, NULL), 0);
    struct due due = pace_due(&p, end);
    ck_assert_int_eq(due.clock, DUE_MONOTONIC);
    ck_assert_int_eq(due.at_us, 3 * SECOND);
    pace_expire(&p, due.at_us - 1);
    ck_assert(!p.is_silent);
    pace_expire(&p, due.at_us);
    ck_assert(p.is_silent);
    ck_assert_uint_eq(acked(due.at_us, NULL), 2);
    ck_assert_int_eq(pace_leave_wait_us(&p, false), 0); // nothing to wait for
    ck_assert_int_eq(pace_due(&p, end).clock, DUE_NEVER);
    // A flood of 1 kB frames, each as soon as there is room for 16 kB under way.
    int64_t now = 4 * SECOND;
    uint32_t under_way = 0;
    for (sum = 0; now < 5 * SECOND;) {
        while (under_way < 16000) {
            draw(1000, now);
            ck_assert(!was_asked);
            under_way += 1000;
        }
        acked(now, &bytes);
        sum += bytes;
        under_way -= bytes;
        due = pace_due(&p, end);
        if (bytes == 0) {
            ck_assert_int_eq(due.clock, DUE_MONOTONIC);
            ck_assert_int_gt(due.at_us, now);
            now = due.at_us;
        }
    }
    ck_assert_uint_ge(sum, 95000);
    ck_assert_uint_le(sum, 106000);
    // A key's echo in quiet is not held up.
    now += SECOND;
    acked(now, NULL);
    draw(20, now);
    ck_assert_uint_eq(acked(now, NULL), seq);
    // Its answer comes after all.
    pace_answered(&p, end, now);
    ck_assert(!p.is_silent);
    draw(5000, now);
    ck_assert(was_asked);
}
END_TEST

START_TEST(a_silent_terminal_is_asked_again_now_and_then)
{
    draw(5000, SECOND);
    acked(SECOND, NULL);
    pace_expire(&p, 4 * SECOND);
    draw(5000, 5 * SECOND);
    ck_assert(!was_asked);
    draw(5000, 12 * SECOND);
    ck_assert(was_asked);
    ck_assert_uint_eq(acked(12 * SECOND + 10 * MS, NULL), seq); // not waited for
    ck_assert_int_eq(pace_leave_wait_us(&p, false), 0);
}
END_TEST

START_TEST(a_question_that_the_device_has_not_taken_is_no_silence)
{
    draw(5000, SECOND);
    ck_assert_int_eq(pace_due(&p, 0).clock, DUE_NEVER);
    pace_expire(&p, 100 * SECOND);
    ck_assert(!p.is_silent);
    pace_answered(&p, 100, 100 * SECOND); // nor can it be answered
    pace_written(&p, end, 100 * SECOND);
    ck_assert_uint_eq(acked(100 * SECOND, NULL), 0);
    ck_assert_int_eq(pace_due(&p, end).at_us, 102 * SECOND);
}
END_TEST

START_TEST(a_late_answer_belongs_to_its_own_question)
{
    draw(5000, SECOND);
    acked(SECOND, NULL);
    pace_expire(&p, 3 * SECOND);
    acked(3 * SECOND, NULL);
    pace_answered(&p, end, 4 * SECOND); // after 3 s
    ck_assert_int_ge(p.rtt_us, 2 * SECOND);
    draw(5000, 5 * SECOND);
    ck_assert_uint_eq(acked(5 * SECOND, NULL), 0);
    pace_expire(&p, 8 * SECOND); // it takes longer, that is known now
    ck_assert(!p.is_silent);
    pace_answered(&p, end, 8 * SECOND);
    ck_assert_uint_eq(acked(8 * SECOND, NULL), 2);
}
END_TEST

START_TEST(second_answers_are_passed_over)
{
    for (int64_t i = 1; i < 50; i++) {
        draw(5000, i * SECOND);
        ck_assert(was_asked);
        ck_assert_uint_eq(acked(i * SECOND, NULL), 0);
        pace_answered(&p, end, i * SECOND + MS);
        pace_answered(&p, end, i * SECOND + MS);
        ck_assert_uint_eq(acked(i * SECOND + MS, NULL), seq);
    }
    ck_assert_uint_eq(p.asked, p.answered);
}
END_TEST

START_TEST(lost_answers_do_not_delay_all_later_ones)
{
    draw(5000, SECOND);
    acked(SECOND, NULL);
    pace_answered(&p, end, SECOND + MS);
    acked(SECOND + MS, NULL);
    draw(5000, 2 * SECOND); // this one's answer is lost
    acked(2 * SECOND, NULL);
    pace_expire(&p, 5 * SECOND);
    acked(5 * SECOND, NULL);
    draw(5000, 20 * SECOND);
    ck_assert(was_asked);
    pace_written(&p, end, 20 * SECOND);
    pace_answered(&p, end, 20 * SECOND + MS);
    ck_assert_uint_eq(p.asked, p.answered);
    ck_assert(!p.is_silent);
}
END_TEST

START_TEST(frames_beyond_count_are_joined)
{
    uint32_t bytes;
    draw(5000, SECOND);
    for (unsigned i = 0; i < 10 * PACE_FRAMES; i++)
        draw(5000, SECOND);
    ck_assert_uint_le(p.asked, PACE_QUESTIONS);
    for (unsigned i = 0; i < PACE_QUESTIONS; i++) {
        pace_written(&p, end, SECOND);
        pace_answered(&p, end, SECOND + MS);
    }
    ck_assert_uint_eq(acked(SECOND + MS, &bytes), seq);
    ck_assert_uint_eq(bytes, 5000 * seq);
}
END_TEST

START_TEST(terminals_that_are_never_asked_are_paced)
{
    pace_init(&p, false);
    draw(20000, SECOND);
    ck_assert(!was_asked);
    ck_assert_uint_eq(acked(SECOND, NULL), 0);
    ck_assert_int_eq(pace_due(&p, end).at_us, SECOND + 150 * MS);
    ck_assert_uint_eq(acked(SECOND + 150 * MS, NULL), 1);
}
END_TEST

START_TEST(an_escape_waits_longer_on_a_slow_link_but_never_long)
{
    ck_assert_int_eq(pace_escape_wait_us(&p, 10 * MS), 10 * MS);
    pace_measured(&p, MS);
    ck_assert_int_eq(pace_escape_wait_us(&p, 10 * MS), 10 * MS);
    pace_measured(&p, 120 * MS);
    ck_assert_int_eq(pace_escape_wait_us(&p, 10 * MS), 30 * MS);
    pace_measured(&p, SECOND);
    ck_assert_int_eq(pace_escape_wait_us(&p, 10 * MS), 50 * MS);
    ck_assert_int_eq(pace_escape_wait_us(&p, 500 * MS), 500 * MS);
    ck_assert_int_eq(pace_escape_wait_us(&p, 0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pace");
    TCase *tc = tcase_create("pace");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, small_frames_are_acknowledged_when_written);
    tcase_add_test(tc, larger_ones_when_the_terminal_answers);
    tcase_add_test(tc, a_silent_terminal_is_given_100_kB_a_second_until_it_answers);
    tcase_add_test(tc, a_silent_terminal_is_asked_again_now_and_then);
    tcase_add_test(tc, a_question_that_the_device_has_not_taken_is_no_silence);
    tcase_add_test(tc, a_late_answer_belongs_to_its_own_question);
    tcase_add_test(tc, second_answers_are_passed_over);
    tcase_add_test(tc, lost_answers_do_not_delay_all_later_ones);
    tcase_add_test(tc, frames_beyond_count_are_joined);
    tcase_add_test(tc, terminals_that_are_never_asked_are_paced);
    tcase_add_test(tc, an_escape_waits_longer_on_a_slow_link_but_never_long);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
