//! Snippets, generated from the syntax in the language tables.

/// Returns the snippet of a word: optional parts are omitted, and parts to fill in are tab stops.
pub(super) fn template(name: &str, written: &str) -> String {
    match name {
        // An attribute without a description is rarely useful.
        "newparam" | "newproperty" => return format!("{name} ${{1:name}} {{\n\tdesc \"$2\"\n\t$0\n}}"),
        _ => {}
    }
    let text = first_form(written);
    let (mut out, mut place) = (String::new(), 0);
    let mut next = || {
        place += 1;
        place
    };
    let words = text.split_inclusive([' ', ',', ':', '(', ')', '"', '/', '[', ']', '…']);
    for piece in words {
        let core = piece.trim_end_matches([' ', ',', ':', '(', ')', '"', '/', '[', ']', '…']);
        let tail = piece.get(core.len()..).unwrap_or_default();
        match (core, tail) {
            ("", "…") if out.ends_with('"') || out.ends_with('/') => out.push_str(&format!("${}", next())),
            ("", "…") => out.push_str("$0"),
            (word, tail) if word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()) || is_letter(word) => {
                out.push_str(&format!("${{{}:{}}}{tail}", next(), word.to_lowercase()));
            }
            (word, tail) => out.push_str(&format!("{}{tail}", word.replace('$', "\\$"))),
        }
    }
    // A block spans several lines.
    let mut out = out.replace("{ $0 }", "{\n\t$0\n}");
    if let Some((head, params)) = out.clone().split_once("{ |")
        && let Some((params, rest)) = params.split_once("| $0 }")
    {
        out = format!("{head}{{ |{params}|\n\t$0\n}}{rest}");
    }
    out.trim_end().to_owned()
}

fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase())
}

/// Returns the first alternative in a syntax, without optional parts in brackets and options after a comma.
fn first_form(written: &str) -> String {
    let mut text = String::new();
    let mut optional = 0_usize;
    let mut before = ' ';
    for c in written.chars() {
        // `methods: [m]` is a list, ` [m]` is optional.
        match c {
            '[' if before == ' ' && !text.trim_end().ends_with(':') || optional > 0 && c == '[' => optional += 1,
            ']' if optional > 0 => optional -= 1,
            c if optional == 0 => text.push(c),
            _ => {}
        }
        before = c;
    }
    let text = text.split(" | ").next().unwrap_or_default().to_owned();
    let text = match text.match_indices(", ").find(|(at, _)| option_follows(text.get(at + 2..).unwrap_or_default())) {
        Some((at, _)) => text.get(..at).unwrap_or_default().to_owned(),
        None => text,
    };
    // `autorequire TYPE, … { … }`: one type is enough.
    text.replace(", …", "").replace(", OPTIONS", "").trim_end().to_owned()
}

fn option_follows(rest: &str) -> bool {
    rest.split_once(':').is_some_and(|(word, _)| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

/// Returns the snippet of a call, with tab stops for required arguments and the closure.
pub(super) fn call(name: &str, written: &str) -> String {
    // `sub(a[, b]) [{ |x| … }]`: parts that are not in brackets are required.
    let arguments = written.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(a, _)| a);
    let needed = arguments.split('[').next().unwrap_or_default().split(", ").filter(|a| !a.is_empty() && *a != "…").count();
    let places: Vec<String> = (1..=needed).map(|i| format!("${i}")).collect();
    let closure = if written.ends_with(") { |x| … }") || written == format!("{name} {{ |x| … }}") { " { |${9:x}| $0 }" } else { "" };
    let arguments = if needed == 0 { String::new() } else { format!("({})", places.join(", ")) };
    format!("{name}{arguments}{closure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_follow_how_a_word_is_written() {
        let cases = [
            ("desc", "desc \"…\"", "desc \"$1\""),
            ("munge", "munge { |value| … }", "munge { |value|\n\t$0\n}"),
            ("validate", "validate { … }", "validate {\n\t$0\n}"),
            ("feature", "feature NAME, \"…\", methods: [m]", "feature ${1:name}, \"$2\""),
            ("autorequire", "autorequire TYPE, … { … }", "autorequire ${1:type} {\n\t$0\n}"),
            ("ensurable", "ensurable [{ … }]", "ensurable"),
            ("matches", "matches /…/, message: \"…\"", "matches /$1/"),
            ("defaultto", "defaultto VALUE | { … }", "defaultto ${1:value}"),
            ("compare", "compare NAME | { |is, should| … }", "compare ${1:name}"),
            ("newvalue", "newvalue V, event: E { … }", "newvalue ${1:v}"),
        ];
        for (name, written, wanted) in cases {
            assert_eq!(template(name, written), wanted, "{written}");
        }
        assert_eq!(call("sub", "sub(a[, b]) [{ |x| … }]"), "sub($1)");
        assert_eq!(call("map", "map { |x| … }"), "map { |${9:x}| $0 }");
        assert_eq!(call("strip", "strip"), "strip");
    }
}
