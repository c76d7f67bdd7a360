// Connections: greetings, damaged bytes, ends. The client behind the connection is a stand-in.
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/jobs.h"
#include "common/protocol.h"
#include "server/model/client.h"
#include "server/server.h"

static struct job_queue *q;
static struct client the_client;
static unsigned lost, received, drained;
static char *last_argv;
static bool accepts;

struct job_queue *server_jobs(void)
{
    return q;
}
const char *server_socket_path(void)
{
    return "/tmp/path";
}
void server_descriptor_freed(void)
{
}
struct client *client_new(struct peer *peer)
{
    memset(&the_client, 0, sizeof the_client);
    the_client.peer = peer;
    return &the_client;
}
void client_lost(struct client *c)
{
    lost++;
    peer_free(c->peer);
    c->peer = NULL;
}
bool client_receive(struct client *c, const struct message *m, const char **cause)
{
    (void)c;
    received++;
    if (m->type == MSG_COMMAND && m->u.COMMAND.argv[0] != NULL) {
        free(last_argv);
        last_argv = xstrdup(m->u.COMMAND.argv[0]);
    }
    *cause = "stand-in says no";
    return accepts || m->type == MSG_HELLO;
}

static int ours; // the client's end

static void setup(void)
{
    int fds[2];
    lost = received = drained = 0;
    accepts = true;
    last_argv = NULL;
    q = jobs_new();
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    ours = fds[0];
    peer_new(fds[1]);
}

static void teardown(void)
{
    close(ours);
    free(last_argv);
}

static struct due soon(const void *state, int64_t now_us)
{
    (void)state;
    return due_at(now_us + 1000);
}
static void stop(void *state)
{
    (void)state;
    jobs_stop(q);
}
static const struct job_spec tick = {"test tick", soon, stop};

static void run_a_while(void)
{
    struct job *job = job_add(q, &tick, NULL);
    jobs_loop(q);
    job_remove(job);
}

static void send_all(const void *data, size_t len)
{
    const char *at = data;
    while (len > 0) {
        ssize_t n = send(ours, at, len, MSG_NOSIGNAL);
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        } else {
            ck_assert(errno == EAGAIN);
            run_a_while();
        }
    }
}

static void send_message(enum message_type type, const void *msg)
{
    struct strbuf b = {0};
    ck_assert(protocol_encode(&b, type, msg));
    send_all(b.data, b.len);
    strbuf_free(&b);
}

static void send_hello(uint32_t min, uint32_t max)
{
    const char *none[] = {NULL};
    struct msg_HELLO h = {.version_min = min, .version_max = max, .program = "test", .cwd = "/",
                          .tty = "", .term = "", .terminal_cause = "", .environ = none};
    send_message(MSG_HELLO, &h);
}

static struct strbuf answer;

// Runs until a whole message of the server is there, and decodes it.
static struct message next_message(void)
{
    for (;;) {
        struct message m;
        size_t used;
        const char *cause = NULL;
        enum decode_result r = answer.len == 0 ? DECODE_MORE
                                               : protocol_decode(answer.data, answer.len,
                                                                 FROM_SERVER, &m, &used, &cause);
        ck_assert_msg(r != DECODE_BAD, "%s", cause);
        if (r == DECODE_OK)
            return m; // its texts point into answer, which is left as it is
        run_a_while();
        char buf[4096];
        ssize_t n = recv(ours, buf, sizeof buf, 0);
        ck_assert_msg(n != 0, "closed without a message");
        if (n > 0)
            strbuf_add(&answer, buf, (size_t)n);
    }
}

static void expect_refused(const char *why)
{
    strbuf_clear(&answer);
    struct message m = next_message();
    ck_assert_int_eq(m.type, MSG_REFUSED);
    ck_assert_uint_eq(m.u.REFUSED.version_max, protocol_version);
    ck_assert_msg(strstr(m.u.REFUSED.why, why) != NULL, "%s", m.u.REFUSED.why);
    message_free(&m);
    // And then the end, which the server answers with its own.
    char buf[16];
    while (recv(ours, buf, sizeof buf, 0) != 0)
        run_a_while();
    shutdown(ours, SHUT_RDWR);
    while (lost == 0)
        run_a_while();
}

static void greet(void)
{
    strbuf_clear(&answer);
    send_hello(protocol_version_min, protocol_version);
    struct message m = next_message();
    ck_assert_int_eq(m.type, MSG_WELCOME);
    ck_assert_str_eq(m.u.WELCOME.socket_path, "/tmp/path");
    message_free(&m);
    strbuf_clear(&answer);
}

START_TEST(a_greeting_is_welcomed_and_a_command_comes_through)
{
    greet();
    const char *argv[] = {"list-sessions", NULL};
    send_message(MSG_COMMAND, &(struct msg_COMMAND){argv});
    while (received < 2)
        run_a_while();
    ck_assert_str_eq(last_argv, "list-sessions");
    ck_assert_uint_eq(lost, 0);
}
END_TEST

START_TEST(messages_may_come_byte_by_byte)
{
    struct strbuf b = {0};
    const char *none[] = {NULL}, *argv[] = {"ls", NULL};
    struct msg_HELLO h = {.version_min = protocol_version_min, .version_max = protocol_version,
                          .environ = none};
    protocol_encode(&b, MSG_HELLO, &h);
    protocol_encode(&b, MSG_COMMAND, &(struct msg_COMMAND){argv});
    for (size_t i = 0; i < b.len; i++) {
        send_all(b.data + i, 1);
        run_a_while();
    }
    ck_assert_uint_eq(received, 2);
    strbuf_free(&b);
}
END_TEST

START_TEST(a_range_that_meets_ours_is_served)
{
    send_hello(protocol_version, protocol_version + 1);
    strbuf_clear(&answer);
    struct message m = next_message();
    ck_assert_int_eq(m.type, MSG_WELCOME);
    ck_assert_uint_eq(m.u.WELCOME.version, protocol_version);
    message_free(&m);
}
END_TEST

START_TEST(a_newer_client_is_told_that_the_server_is_older)
{
    send_hello(protocol_version + 5, protocol_version + 7);
    expect_refused("the server is older");
}
END_TEST

START_TEST(an_older_client_is_told_so)
{
    send_hello(0, 0);
    expect_refused("the client is older");
}
END_TEST

START_TEST(a_first_message_that_is_no_greeting_is_refused)
{
    const char *argv[] = {"kill-server", NULL};
    send_message(MSG_COMMAND, &(struct msg_COMMAND){argv});
    expect_refused("greeting");
    ck_assert_uint_eq(received, 0);
}
END_TEST

START_TEST(garbage_ends_the_connection_with_a_reason)
{
    const char *garbage = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    send_all(garbage, strlen(garbage));
    expect_refused("");
    ck_assert_uint_eq(received, 0);
}
END_TEST

START_TEST(a_length_of_four_gigabytes_is_refused_at_once)
{
    const unsigned char head[] = {0xff, 0xff, 0xff, 0xff, 1, 0};
    send_all(head, sizeof head);
    expect_refused("");
}
END_TEST

START_TEST(half_a_message_and_then_the_end_is_a_lost_client)
{
    const unsigned char half[] = {40, 0, 0, 0, 1, 0, 1, 0, 0};
    send_all(half, sizeof half);
    run_a_while();
    ck_assert_uint_eq(lost, 0);
    shutdown(ours, SHUT_WR);
    while (lost == 0)
        run_a_while();
    ck_assert_uint_eq(received, 0);
}
END_TEST

START_TEST(damage_after_the_greeting_ends_the_connection)
{
    greet();
    const unsigned char bad[] = {4, 0, 0, 0, 2, 0, 0xff, 0xff};
    send_all(bad, sizeof bad);
    expect_refused("");
}
END_TEST

START_TEST(a_message_that_the_client_part_refuses_ends_it_with_that_reason)
{
    greet();
    accepts = false;
    send_message(MSG_FOCUS, &(struct msg_FOCUS){1});
    expect_refused("stand-in says no");
}
END_TEST

START_TEST(what_is_queued_goes_out_before_the_end)
{
    greet();
    static char text[200000];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 20; i++)
        ck_assert(peer_send(the_client.peer, MSG_OUTPUT,
                            &(struct msg_OUTPUT){1, {text, sizeof text}}));
    ck_assert(peer_send(the_client.peer, MSG_EXIT, &(struct msg_EXIT){7}));
    peer_close_when_sent(the_client.peer);
    ck_assert(!peer_send(the_client.peer, MSG_EXIT, &(struct msg_EXIT){8}));
    size_t total = 0;
    unsigned char last = 0;
    for (;;) {
        char buf[65536];
        run_a_while();
        ssize_t n = recv(ours, buf, sizeof buf, 0);
        if (n == 0)
            break;
        if (n > 0) {
            total += (size_t)n;
            last = (unsigned char)buf[n - 1];
        }
    }
    ck_assert_uint_gt(total, 20 * sizeof text);
    ck_assert_uint_eq(last, 7); // the code of EXIT
}
END_TEST

START_TEST(one_that_never_reads_is_dropped_at_a_bound)
{
    greet();
    static char text[1000000];
    size_t sent = 0;
    while (peer_send(the_client.peer, MSG_OUTPUT, &(struct msg_OUTPUT){1, {text, sizeof text}})) {
        sent += sizeof text;
        ck_assert_uint_lt(sent, 100u << 20);
        ck_assert_uint_le(peer_unsent(the_client.peer), 64u << 20);
    }
    while (lost == 0)
        run_a_while();
}
END_TEST

static void on_drain(void *arg)
{
    (void)arg;
    drained++;
}

START_TEST(the_drain_is_told)
{
    greet();
    peer_on_drain(the_client.peer, on_drain, NULL);
    peer_send(the_client.peer, MSG_FRAME_END, &(struct msg_FRAME_END){1});
    while (drained == 0)
        run_a_while();
    ck_assert_uint_eq(peer_unsent(the_client.peer), 0);
}
END_TEST

START_TEST(its_user_and_process_are_known)
{
    ck_assert_uint_eq(the_client.uid, geteuid());
    ck_assert_int_eq(the_client.pid, getpid());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("peer");
    TCase *t = tcase_create("peer");
    tcase_set_timeout(t, 20);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_greeting_is_welcomed_and_a_command_comes_through);
    tcase_add_test(t, messages_may_come_byte_by_byte);
    tcase_add_test(t, a_range_that_meets_ours_is_served);
    tcase_add_test(t, a_newer_client_is_told_that_the_server_is_older);
    tcase_add_test(t, an_older_client_is_told_so);
    tcase_add_test(t, a_first_message_that_is_no_greeting_is_refused);
    tcase_add_test(t, garbage_ends_the_connection_with_a_reason);
    tcase_add_test(t, a_length_of_four_gigabytes_is_refused_at_once);
    tcase_add_test(t, half_a_message_and_then_the_end_is_a_lost_client);
    tcase_add_test(t, damage_after_the_greeting_ends_the_connection);
    tcase_add_test(t, a_message_that_the_client_part_refuses_ends_it_with_that_reason);
    tcase_add_test(t, what_is_queued_goes_out_before_the_end);
    tcase_add_test(t, one_that_never_reads_is_dropped_at_a_bound);
    tcase_add_test(t, the_drain_is_told);
    tcase_add_test(t, its_user_and_process_are_known);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
