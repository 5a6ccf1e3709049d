//! `broken/tour.rtype` contains many mistakes. Each mistake is reported once, at the exact location, with help.

use rtype_lang::library::TypeSet;

/// Code, exact underlined source, message, help.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    (
        "RT209",
        "newtype(:account)",
        "this is a type written in Ruby",
        "rename the file to `.rb` and run `rtype import` on it, or write `type account { … }`",
    ),
    ("RT205", ":paint", "a symbol in a directive is a bare word, without the colon of `:paint`", "write `paint`"),
    ("RT208", "\"Can dry.\"", "missing comma before `\"Can dry.\"`", "separate arguments with commas: write `, \"Can dry.\"`"),
    ("RT101", "isnamvar", "unknown directive `isnamvar` in an attribute", "did you mean `isnamevar`?"),
    ("RT205", ":red", "a symbol in a directive is a bare word, without the colon of `:red`", "write `red`"),
    ("RT018", "rad", "alias `rot` refers to `rad`, which is not an allowed value", "did you mean `red`?"),
    ("RT021", "blue", "the default `blue` is none of the allowed values of `colour`", "allowed are `red`, `green`, `/\\Agr/`"),
    ("RT102", "array_match", "`newproperty` has no option `array_match`", "did you mean `array_matching`?"),
    ("RT207", "array_match =>", "an option is written `array_match:`, not `array_match =>`", "write `array_match: all`"),
    ("RT204", "do", "blocks use braces, not `do … end`", "write `validate { |value| … }`"),
    ("RT210", "/", "`/` does not divide: it begins a regex", "write `a.div(b)`"),
    ("RT034", "printable", "unknown feature `printable`", "use one of `paint`, `dry`"),
    (
        "RT111",
        "(",
        "this regex cannot be used: this group is not closed",
        "escape special characters with a backslash: `\\(`, `\\[`, `\\*`",
    ),
    ("RT105", "color", "the type has no attribute `color`", "did you mean `colour`?"),
    ("RT106", "trim", "unknown method `trim`", "write `strip`"),
    ("RT003", "name", "the attribute `name` is declared twice", "delete one of them, or merge what they say"),
    ("RT109", "defaultto", "`defaultto` does not belong in a type", "move it into the body of an attribute"),
    ("RT210", "and", "`and` is not an operator", "write `&&`"),
    (
        "RT116",
        "repaint",
        "`provider.repaint` changes the machine",
        "only action blocks may call it: `newvalue`, `sync`, `refresh`; a reading method is declared in `queries`",
    ),
    ("RT034", "dryable", "unknown feature `dryable`", "use one of `paint`, `dry`"),
];

#[test]
fn every_mistake_is_reported_at_its_location() {
    let mut library = TypeSet::default();
    let path = "tests/broken/tour.rtype";
    let source = library.sources.add(path, std::fs::read_to_string(path).unwrap()).unwrap();
    library.load_text(&source, None);
    let mut diagnostics = library.diagnostics();
    diagnostics.sort_by_key(|d| (d.span(), d.code));
    let help: Vec<String> = diagnostics.iter().map(|d| d.help.as_ref().map(ToString::to_string).unwrap_or_default()).collect();
    let found: Vec<(&str, &str, &str, &str)> = diagnostics
        .iter()
        .zip(&help)
        .map(|(d, help)| (d.code.info().id, library.sources.slice(d.span()), d.message.as_str(), help.as_str()))
        .collect();
    for (found, expected) in found.iter().zip(MISTAKES) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), MISTAKES.len(), "{found:#?}");
}
