//! Syntax highlighting of declarations in Puppet's syntax.

use maud::{Markup, html};

/// Highlights a declaration: comments, strings, attribute names.
pub(super) fn puppet(text: &str) -> Markup {
    html! {
        @for line in text.trim_end().lines() {
            (one(line)) "\n"
        }
    }
}

fn one(line: &str) -> Markup {
    let text = line.trim_start();
    let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
    if text.starts_with('#') {
        return html! { (indent) span.comment { (text) } };
    }
    let name_end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
    let (name, rest) = text.split_at_checked(name_end).unwrap_or(("", text));
    if !name.is_empty() && rest.trim_start().starts_with("=>") {
        return html! { (indent) span.attribute { (name) } (values(rest)) };
    }
    if !name.is_empty() && rest.trim_start().starts_with('{') {
        return html! { (indent) span.type { (name) } (values(rest)) };
    }
    html! { (indent) (values(text)) }
}

/// Highlights the strings in a text.
fn values(text: &str) -> Markup {
    let mut parts: Vec<(bool, String)> = Vec::new();
    let (mut quote, mut escaped): (Option<char>, bool) = (None, false);
    for c in text.chars() {
        let opens = quote.is_none() && matches!(c, '\'' | '"');
        let inside = quote.is_some() || opens;
        match parts.last_mut().filter(|(is_string, _)| *is_string == inside && !opens) {
            Some((_, part)) => part.push(c),
            None => parts.push((inside, c.to_string())),
        }
        if opens {
            quote = Some(c);
        } else if escaped {
            escaped = false;
        } else if quote.is_some() && c == '\\' {
            escaped = true;
        } else if quote == Some(c) {
            quote = None;
        }
    }
    html! {
        @for (is_string, part) in parts {
            @if is_string { span.string { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_names_are_distinguished() {
        let html = puppet("user { 'it\\'s':\n  uid => 1,\n  # password: redacted\n}").into_string();
        assert_eq!(
            html,
            "<span class=\"type\">user</span> { <span class=\"string\">'it\\'s'</span>:\n  <span class=\"attribute\">uid</span> => 1,\n  \
             <span class=\"comment\"># password: redacted</span>\n}\n"
                .replace("=>", "=&gt;")
        );
    }
}
