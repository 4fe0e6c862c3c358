#include "ctl-request.h"

#include <string.h>

/* Cuts the next word off `*rest`; empty when there is none. */
static const char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " ");
    char *end = word + strcspn(word, " ");
    *rest = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static bool is_mark(const char *name)
{
    return strcmp(name, "user") == 0 || strcmp(name, "held") == 0 || strcmp(name, "cap") == 0 || strcmp(name, "none") == 0;
}

const char *ctl_request_read(char *line, struct ctl_request *r)
{
    char *rest = line;
    const char *verb = next_word(&rest);
    *r = (struct ctl_request){.verb = CTL_PING};
    if (strcmp(verb, "ping") == 0)
        return NULL;
    if (strcmp(verb, "term") == 0)
        r->verb = CTL_TERM;
    else if (strcmp(verb, "kill") == 0)
        r->verb = CTL_KILL;
    else
        return "the request is not ping, term or kill";
    r->mark = next_word(&rest);
    if (!is_mark(r->mark))
        return "the mark is not user, held, cap or none";
    if (r->verb == CTL_TERM && !parse_number(next_word(&rest), INT64_MAX / 4096, &r->grace_ms))
        return "the grace is not a number of milliseconds";
    r->text = rest;
    return NULL;
}
