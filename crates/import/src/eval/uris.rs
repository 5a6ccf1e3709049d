//! The pattern of absolute URIs that Ruby's `URI.regexp` gives.

use super::data::escaped;

/// Characters of all parts, within a class (RFC 2396, 2.3).
const UNRESERVED: &str = r"\-_.!~*'()a-zA-Z\d";
/// A byte in hexadecimal digits (RFC 2396, 2.4.1).
const ESCAPED: &str = r"%[a-fA-F\d]{2}";
const SCHEME: &str = r"[a-zA-Z][\-+.a-zA-Z\d]*";

/// Returns the source of the pattern of an absolute URI with one of these schemes; without any, every scheme matches. Its groups are those of
/// Ruby 3.1: the scheme, the opaque part, the user, the host, the port, the registry, the path, the query and the fragment.
pub(super) fn absolute(schemes: &[String]) -> String {
    let one_of = |class: &str| format!("(?:[{UNRESERVED}{class}]|{ESCAPED})");
    let any = one_of(r";/?:@&=+$,\[\]");
    let opaque = format!("{}{any}*", one_of(";?:@&=+$,"));
    let user = one_of(";:&=+$,");
    let v4 = r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}";
    let groups = format!(r"(?:[a-fA-F\d]{{1,4}}:)*(?:[a-fA-F\d]{{1,4}}|{v4})");
    let v6 = format!(r"(?:{groups}|(?:(?:[a-fA-F\d]{{1,4}}:)*[a-fA-F\d]{{1,4}})?::(?:{groups})?)");
    let host = format!(r"(?:[a-zA-Z0-9\-.]|%\h\h)+|\[{v6}\]");
    let registry = one_of("$,;:@&=+");
    let letter = one_of(":@&=+$,");
    let segment = format!("{letter}*(?:;{letter}*)*");
    let path = format!("/{segment}(?:/{segment})*");
    let authority = format!(r"//(?:(?:(?:({user}*)@)?({host})(?::(\d*))?)?|({registry}+))");
    let whole = format!(r"({SCHEME}):(?:({opaque})|(?:{authority}|(?!//))({path})?(?:\?({any}*))?)(?:\#({any}*))?");
    if schemes.is_empty() {
        return whole;
    }
    let schemes: Vec<String> = schemes.iter().map(|scheme| escaped(scheme)).collect();
    format!("(?=(?:{}):){whole}", schemes.join("|"))
}
