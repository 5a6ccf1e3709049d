//! The formatter of manifests.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests may panic")]

use rtype_lang::source::SourceMap;
use rtype_manifest::format::format;

fn formatted(text: &str) -> Option<String> {
    format(&SourceMap::new().add("site.pp", text).unwrap()).ok()
}

#[test]
fn manifests_get_the_layout_of_the_style_guide() {
    let (before, after) = (include_str!("format/before.pp"), include_str!("format/after.pp"));
    assert_eq!(formatted(before).unwrap(), after);
    assert_eq!(formatted(after).unwrap(), after);
}

#[test]
fn single_lines_are_spaced() {
    for (before, after) in [
        ("$x=1+ -2*3", "$x = 1 + -2 * 3\n"),
        ("$x = [ 1,2 ][0]", "$x = [1, 2][0]\n"),
        ("notice( 'a' )", "notice('a')\n"),
        ("notice 'a',  'b'", "notice 'a', 'b'\n"),
        ("f(*$a)", "f(*$a)\n"),
        ("if ! $a or(! $b) {}", "if !$a or (!$b) {}\n"),
        ("$x.map|$a,*$b| >>Array{ $a }", "$x.map |$a, *$b| >> Array { $a }\n"),
        ("File<<||>>", "File <<| |>>\n"),
        ("Package['a']->Service['b']", "Package['a'] -> Service['b']\n"),
        ("function f::g ($a)>>Integer{ 1 }", "function f::g($a) >> Integer { 1 }\n"),
        ("type A::B=Enum['a','b']", "type A::B = Enum['a', 'b']\n"),
        ("$a   =   1\n\n\n\n$bcd = 2   \n", "$a   = 1\n\n$bcd = 2\n"),
        ("", ""),
    ] {
        assert_eq!(formatted(before).as_deref(), Some(after), "{before}");
        assert_eq!(formatted(after).as_deref(), Some(after), "{after}");
    }
}

#[test]
fn manifests_with_errors_are_not_formatted() {
    assert_eq!(formatted("notify { 'a': message = 'b' }"), None);
}

/// The formatter itself compares the trees; here the second pass must change nothing.
#[test]
#[ignore = "needs Debian's modules in /usr/share/puppet/modules.available"]
fn debian_manifests_are_formatted_in_one_pass() {
    let mut directories = vec![std::path::PathBuf::from("/usr/share/puppet/modules.available")];
    let mut count = 0;
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|e| e == "pp") {
                let Some(once) = formatted(&std::fs::read_to_string(&path).unwrap()) else { continue };
                assert_eq!(formatted(&once), Some(once), "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}
