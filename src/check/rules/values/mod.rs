//! Rules about values: which are allowed, how they become canonical, how titles are read.

super::table! {
    Type regex_trailing_newline => RegexTrailingNewline,
}
