//! Renders descriptions as HTML.

use super::super::prose::{events, language, markdown};
use super::highlight::puppet;
use maud::{Markup, PreEscaped};
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

/// Renders paragraphs, lists and code blocks.
pub(super) fn prose(doc: &str) -> Markup {
    let source = markdown(doc);
    let mut out = Vec::new();
    let mut block: Option<(bool, String)> = None;
    for event in events(&source) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let is_puppet = matches!(&kind, CodeBlockKind::Fenced(info) if language(info) == "puppet");
                block = Some((is_puppet, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                let (is_puppet, text) = block.take().unwrap_or_default();
                let code = if is_puppet { puppet(&text).into_string() } else { escaped(&text) };
                out.push(Event::Html(format!("<pre tabindex=\"0\"><code>{code}</code></pre>\n").into()));
            }
            Event::Text(text) if block.is_some() => {
                if let Some((_, code)) = &mut block {
                    code.push_str(&text);
                }
            }
            // Only links to web pages are safe.
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.starts_with("https://") && !dest_url.starts_with("http://") => {
                out.push(Event::Start(Tag::Emphasis));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                out.push(Event::Html(format!("<a href=\"{}\">", escaped(&dest_url)).into()));
            }
            Event::End(TagEnd::Link) => out.push(Event::Html("</a>".into())),
            // Images are not loaded; only the alternative text is kept.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            // Headings are reserved for the page itself.
            Event::Start(Tag::Heading { .. }) => out.push(Event::Html("<p><strong>".into())),
            Event::End(TagEnd::Heading(_)) => out.push(Event::Html("</strong></p>\n".into())),
            other => out.push(other),
        }
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, out.into_iter());
    PreEscaped(html)
}

/// Renders a single line without a paragraph around it.
pub(super) fn inline(text: &str) -> Markup {
    let html = prose(text).into_string();
    let line = html.trim().strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")).filter(|line| !line.contains("<p>"));
    PreEscaped(line.map_or_else(|| escaped(text), str::to_owned))
}

/// Escapes text for HTML.
pub(super) fn escaped(text: &str) -> String {
    maud::html! { (text) }.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_write_no_html() {
        assert_eq!(prose("a <b>c</b> & `<i>`").into_string(), "<p>a &lt;b&gt;c&lt;/b&gt; &amp; <code>&lt;i&gt;</code></p>\n");
        assert_eq!(prose("<script>x</script>").into_string().matches('<').count(), 0);
        assert!(!prose("[x](javascript:alert(1))").into_string().contains("javascript"));
        assert!(!prose("![x](http://elsewhere/y.png)").into_string().contains("<img"));
        assert_eq!(inline("use `x` & y").into_string(), "use <code>x</code> &amp; y");
    }

    #[test]
    fn lists_and_blocks_are_kept() {
        let html = prose("Text:\n\n- one\n- `two`\n").into_string();
        assert!(html.contains("<li>one</li>") && html.contains("<code>two</code>"), "{html}");
        assert!(prose("```puppet\nuser { 'a<b': }\n```").into_string().contains("'a&lt;b'"));
    }
}
