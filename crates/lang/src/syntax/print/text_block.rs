//! Indents text blocks together with the code around them.

use crate::syntax::build::dedent;

/// Returns a text block `"""…"""` with another indentation, or unchanged if another indentation would change its value.
pub(super) fn indented(written: &str, indent: usize) -> String {
    let clean = written.replace("\r\n", "\n");
    let Some(inner) = clean.strip_prefix("\"\"\"").and_then(|t| t.strip_suffix("\"\"\"")) else { return clean };
    let Some((first, rest)) = inner.split_once('\n') else { return clean };
    if !first.trim().is_empty() {
        return clean;
    }
    let lines: Vec<&str> = rest.split('\n').collect();
    let common = lines.iter().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start_matches([' ', '\t']).len()).min();
    let common = common.unwrap_or(0);
    let blanks = "  ".repeat(indent);
    let mut out = String::from("\"\"\"");
    for (i, line) in lines.iter().enumerate() {
        out.push('\n');
        if i + 1 == lines.len() && line.trim().is_empty() {
            out.push_str(&blanks);
            continue;
        }
        let text = line.get(common..).unwrap_or("");
        if !text.is_empty() {
            out.push_str(&blanks);
            out.push_str(text);
        }
    }
    let same = dedent(out.strip_prefix("\"\"\"").unwrap_or("")) == dedent(inner);
    out.push_str("\"\"\"");
    if same { out } else { clean }
}
