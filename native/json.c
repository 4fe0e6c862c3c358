/* JSON text from bytes that may be anything: kernel files, a person's words, paths. */
#include "util.h"

#include <string.h>

/* Length of the valid UTF-8 sequence at `s`, 0 when there is none (overlong, surrogate, cut off, past U+10FFFF). */
static size_t utf8_length(const unsigned char *s, size_t left)
{
    unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    if (c < 0xc2 || c > 0xf4)
        return 0;
    size_t n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (left < n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && s[1] < 0xa0) || (c == 0xed && s[1] > 0x9f) || (c == 0xf0 && s[1] < 0x90) ||
        (c == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

void json_text(struct buf *b, const char *data, size_t len)
{
    const unsigned char *s = (const unsigned char *)data;
    buf_add(b, "\"", 1);
    for (size_t i = 0; i < len;) {
        unsigned char c = s[i];
        size_t n = utf8_length(s + i, len - i);
        if (n == 0) {
            buf_str(b, "\\ufffd");
            n = 1;
        } else if (c == '"' || c == '\\') {
            char text[2] = {'\\', (char)c};
            buf_add(b, text, 2);
        } else if (c == '\n') {
            buf_str(b, "\\n");
        } else if (c < 0x20 || c == 0x7f) {
            buf_fmt(b, "\\u%04x", c);
        } else {
            buf_add(b, data + i, n);
        }
        i += n;
    }
    buf_add(b, "\"", 1);
}

void json_string(struct buf *b, const char *text)
{
    json_text(b, text, strlen(text));
}

void json_file(struct buf *b, bool known, const struct buf *text)
{
    if (known)
        json_text(b, text->data, text->len);
    else
        buf_str(b, "null");
}
