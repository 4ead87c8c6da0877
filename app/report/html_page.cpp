// See html_page.h.
#include "app/report/html_page.h"

#include "app/report/utf8.h"

namespace p2plab::report {

std::string html_page(std::string_view title, std::string_view body, content::Language language, std::string_view style) {
  std::string out = "<!doctype html>\n<html lang=\"";
  out += language == content::Language::zh ? "zh-CN" : "en";
  out += "\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + xml_text(title) + "</title>\n<style>\n";
  out += ":root{color-scheme:light dark}body{font:16px/1.55 \"Noto Sans CJK SC\",\"Noto Sans\",sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
         "h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:1.6rem}table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}"
         "td.n,th.n{text-align:right}.muted{opacity:.7}code{font-family:\"Noto Sans Mono CJK SC\",monospace;font-size:.9em}\n";
  out += style;
  out += "</style>\n";
  out += body;
  out += "</html>\n";
  return out;
}

}  // namespace p2plab::report
