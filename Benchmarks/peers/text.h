// The text of all requests.
#ifndef TEXT_H
#define TEXT_H
static const char *record_text =
    "{\"kind\":\"alert\",\"title\":\"Deploy 1.4.2 to production?\",\"message\":\"42 commits since the last release.\","
    "\"buttons\":[{\"id\":\"deploy\",\"label\":\"Deploy\",\"role\":\"destructive\"},"
    "{\"id\":\"later\",\"label\":\"Not now\",\"role\":\"cancel\"}]}";
#endif
