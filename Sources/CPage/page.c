#include "CPage.h"

// #embed is of C23; the compiler takes it in earlier ones and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char icon_asks_svg[] = {
#embed "page/icon-asks.svg"
};
static const unsigned char alerts_js[] = {
#embed "page/alerts.js"
};
static const unsigned char also_js[] = {
#embed "page/also.js"
};
static const unsigned char answers_js[] = {
#embed "page/answers.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char asker_js[] = {
#embed "page/asker.js"
};
static const unsigned char buttons_js[] = {
#embed "page/buttons.js"
};
static const unsigned char charts_js[] = {
#embed "page/charts.js"
};
static const unsigned char choices_js[] = {
#embed "page/choices.js"
};
static const unsigned char elements_js[] = {
#embed "page/elements.js"
};
static const unsigned char feed_js[] = {
#embed "page/feed.js"
};
static const unsigned char form_js[] = {
#embed "page/form.js"
};
static const unsigned char grants_js[] = {
#embed "page/grants.js"
};
static const unsigned char rules_js[] = {
#embed "page/rules.js"
};
static const unsigned char guard_js[] = {
#embed "page/guard.js"
};
static const unsigned char later_js[] = {
#embed "page/later.js"
};
static const unsigned char lists_js[] = {
#embed "page/lists.js"
};
static const unsigned char log_js[] = {
#embed "page/log.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char now_js[] = {
#embed "page/now.js"
};
static const unsigned char prompt_js[] = {
#embed "page/prompt.js"
};
static const unsigned char queue_js[] = {
#embed "page/queue.js"
};
static const unsigned char remember_js[] = {
#embed "page/remember.js"
};
static const unsigned char seen_js[] = {
#embed "page/seen.js"
};
static const unsigned char story_js[] = {
#embed "page/story.js"
};
static const unsigned char text_js[] = {
#embed "page/text.js"
};
static const unsigned char times_js[] = {
#embed "page/times.js"
};

#define FILE_OF(path, type, bytes) {path, type "; charset=utf-8", bytes, sizeof bytes}
#define SCRIPT(path, bytes) FILE_OF(path, "text/javascript", bytes)

static const struct page_file files[] = {
    FILE_OF("/", "text/html", index_html),
    FILE_OF("/style.css", "text/css", style_css),
    FILE_OF("/icon.svg", "image/svg+xml", icon_svg),
    FILE_OF("/icon-asks.svg", "image/svg+xml", icon_asks_svg),
    SCRIPT("/alerts.js", alerts_js),
    SCRIPT("/also.js", also_js),
    SCRIPT("/answers.js", answers_js),
    SCRIPT("/api.js", api_js),
    SCRIPT("/asker.js", asker_js),
    SCRIPT("/buttons.js", buttons_js),
    SCRIPT("/charts.js", charts_js),
    SCRIPT("/choices.js", choices_js),
    SCRIPT("/elements.js", elements_js),
    SCRIPT("/feed.js", feed_js),
    SCRIPT("/form.js", form_js),
    SCRIPT("/grants.js", grants_js),
    SCRIPT("/rules.js", rules_js),
    SCRIPT("/guard.js", guard_js),
    SCRIPT("/later.js", later_js),
    SCRIPT("/lists.js", lists_js),
    SCRIPT("/log.js", log_js),
    SCRIPT("/main.js", main_js),
    SCRIPT("/now.js", now_js),
    SCRIPT("/prompt.js", prompt_js),
    SCRIPT("/queue.js", queue_js),
    SCRIPT("/remember.js", remember_js),
    SCRIPT("/seen.js", seen_js),
    SCRIPT("/story.js", story_js),
    SCRIPT("/text.js", text_js),
    SCRIPT("/times.js", times_js),
};

size_t page_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file page_file_at(size_t index) { return files[index]; }
