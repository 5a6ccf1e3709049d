//! Rules about values: which are allowed, how they become canonical, how titles are read.

mod patterns;

super::table! {
    Type title_pattern_unanchored => TitlePatternUnanchored,
    Type title_pattern_partial => TitlePatternPartial,
    Type title_pattern_unreachable => TitlePatternUnreachable,
    Type regex_unanchored => RegexUnanchored,
    Type regex_line_anchors => RegexLineAnchors,
    Type regex_trailing_newline => RegexTrailingNewline,
    Type regex_alternation_precedence => RegexAlternationPrecedence,
    Type regex_accepts_everything => RegexAcceptsEverything,
    Type catch_all_beside_literals => CatchAllBesideLiterals,
    Type value_shadowed => ValueShadowed,
    Type regex_backtracking => RegexBacktracking,
    Type regex_never_matches => RegexNeverMatches,
}
