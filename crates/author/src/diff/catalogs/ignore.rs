//! Resources and attributes to ignore.

use globset::{GlobBuilder, GlobMatcher};
use rtype_lang::value::ResourceRef;

/// Patterns of ignored resources and attributes.
#[derive(Clone, Debug, Default)]
pub struct IgnorePatterns(Vec<Pattern>);

#[derive(Clone, Debug)]
struct Pattern {
    type_name: GlobMatcher,
    title: GlobMatcher,
    attribute: Option<GlobMatcher>,
}

impl IgnorePatterns {
    /// Parses patterns such as `File[/tmp/*]` and `File[*]::content`.
    ///
    /// # Errors
    /// Returns the first invalid pattern.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<IgnorePatterns, InvalidPattern> {
        texts.into_iter().map(pattern).collect::<Result<_, _>>().map(IgnorePatterns)
    }

    /// Returns `true` if a resource is ignored.
    pub fn resource(&self, reference: &ResourceRef) -> bool {
        self.0.iter().any(|p| p.attribute.is_none() && p.is_of(reference))
    }

    /// Returns `true` if an attribute of a resource is ignored.
    pub fn attribute(&self, of: &ResourceRef, name: &str) -> bool {
        self.0.iter().any(|p| p.attribute.as_ref().is_some_and(|a| a.is_match(name)) && p.is_of(of))
    }
}

impl Pattern {
    fn is_of(&self, reference: &ResourceRef) -> bool {
        self.type_name.is_match(reference.type_name.as_str()) && self.title.is_match(reference.title.as_str())
    }
}

/// A string that is not a pattern for resources or attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPattern {
    /// The string.
    pub text: String,
}

impl std::fmt::Display for InvalidPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid resource pattern `{}`: write `File[/tmp/*]` or `File[*]::content`", self.text)
    }
}

impl std::error::Error for InvalidPattern {}

fn pattern(text: &str) -> Result<Pattern, InvalidPattern> {
    let wrong = || InvalidPattern { text: text.to_owned() };
    let glob = |text: &str| {
        let built = GlobBuilder::new(text).backslash_escape(true).build();
        built.map(|glob| glob.compile_matcher()).map_err(|_| wrong())
    };
    let (type_name, rest) = text.split_once('[').ok_or_else(wrong)?;
    let (title, attribute) = match rest.rsplit_once("]::") {
        Some((title, attribute)) => (title, Some(attribute)),
        None => (rest.strip_suffix(']').ok_or_else(wrong)?, None),
    };
    if [Some(type_name), Some(title), attribute].contains(&Some("")) {
        return Err(wrong());
    }
    let attribute = attribute.map(glob).transpose()?;
    Ok(Pattern { type_name: glob(&type_name.to_lowercase())?, title: glob(title)?, attribute })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(type_name: &str, title: &str) -> ResourceRef {
        ResourceRef { type_name: type_name.into(), title: title.into() }
    }

    #[test]
    fn patterns_name_resources_and_attributes() {
        let ignored = IgnorePatterns::parse(["File[/tmp/*]", "*[*]::tag", "Foo::Bar[a]::x*"]).unwrap();
        assert!(ignored.resource(&reference("file", "/tmp/a/b")));
        assert!(!ignored.resource(&reference("file", "/etc/tmp/a")));
        assert!(!ignored.resource(&reference("foo::bar", "a")));
        assert!(ignored.attribute(&reference("user", "bob"), "tag"));
        assert!(ignored.attribute(&reference("foo::bar", "a"), "xyz"));
        assert!(!ignored.attribute(&reference("foo::bar", "b"), "xyz"));
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for text in ["File", "File[", "[x]", "File[]", "File[x]::", "File[x]:a", "File[[]"] {
            assert!(IgnorePatterns::parse([text]).is_err(), "{text}");
        }
    }
}
