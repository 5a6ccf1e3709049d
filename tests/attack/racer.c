/* The attacker of `race`: an unprivileged user who waits until rtype touches a directory of theirs and exchanges it for a link.
 *
 *   racer event N DIR LINK WATCH…   exchange DIR and LINK at each Nth event in one of the watched directories or files
 *   racer flap 0 DIR LINK           exchange them all the time
 *   racer replace 0 TO - WATCH…     replace each new entry of a watched directory by a link to TO
 *
 * Prints "ready" when it is, and at its end (TERM) how often it acted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void stop(int signal) { (void)signal; done = 1; }

static int exchange(const char *a, const char *b) { return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0; }

/* What was made stays where it is under another name, and its name becomes a link. */
static int replace(const char *directory, const char *name, const char *to) {
    char at[4096], away[4096];
    snprintf(at, sizeof at, "%s/%s", directory, name);
    snprintf(away, sizeof away, "%s/away-%s", directory, name);
    return strncmp(name, "away-", 5) != 0 && rename(at, away) == 0 && symlink(to, at) == 0;
}

int main(int count, char **words) {
    if (count < 5) return 2;
    const char *how = words[1], *first = words[3], *second = words[4];
    int every = atoi(words[2]) > 0 ? atoi(words[2]) : 1;
    unsigned long acted = 0, seen = 0;
    struct sigaction action = {.sa_handler = stop}; /* no SA_RESTART: a read ends */
    sigaction(SIGTERM, &action, NULL);

    int queue = inotify_init1(IN_CLOEXEC);
    const char *watched[64] = {0};
    unsigned mask = strcmp(how, "replace") == 0 ? IN_CREATE | IN_ONLYDIR
                                                : IN_OPEN | IN_ACCESS | IN_ATTRIB | IN_CREATE | IN_MODIFY | IN_DELETE | IN_CLOSE_NOWRITE;
    for (int each = 5; each < count; each++) {
        int watch = inotify_add_watch(queue, words[each], mask);
        if (watch > 0 && watch < 64) watched[watch] = words[each];
    }
    puts("ready");
    fflush(stdout);

    while (!done) {
        if (strcmp(how, "flap") == 0) {
            acted += exchange(first, second);
            usleep(20 + (acted * 7919) % 200);
            continue;
        }
        char events[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
        ssize_t length = read(queue, events, sizeof events);
        for (char *at = events; length > 0 && at < events + length;) {
            struct inotify_event *event = (struct inotify_event *)at;
            if (strcmp(how, "replace") == 0) {
                if (event->len && event->wd < 64 && watched[event->wd]) acted += replace(watched[event->wd], event->name, first);
            } else if (++seen % every == 0) {
                acted += exchange(first, second);
            }
            at += sizeof *event + event->len;
        }
    }
    printf("%lu\n", acted);
    return 0;
}
