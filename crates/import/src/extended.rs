//! Removes from extended patterns of Ruby, `/…/x`, what has no place on one line.

/// Returns a pattern without comments and with blanks instead of line ends, where it is extended: as a whole, or in groups such as
/// `(?x-mi:…)`, which is what an extended pattern becomes within another one.
pub fn on_one_line(source: &str, is_extended: bool) -> String {
    if !is_extended && !source.contains("(?") {
        return source.to_owned();
    }
    let mut out = String::with_capacity(source.len());
    let (mut extended, mut class) = (vec![is_extended], 0usize);
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        let now = extended.last().copied().unwrap_or(is_extended);
        let mut taken = c.len_utf8();
        match c {
            '\\' => taken += behind.chars().next().map_or(0, char::len_utf8),
            '[' => class += 1,
            ']' => class = class.saturating_sub(1),
            '(' if class == 0 => {
                if behind.starts_with("?#") {
                    rest = behind.split_once(')').map_or("", |(_, after)| after);
                    continue;
                }
                let flags = behind.strip_prefix('?').and_then(|b| b.find([':', ')']).and_then(|end| b.get(..=end)));
                match flags.filter(|f| f.chars().all(|c| matches!(c, 'm' | 'i' | 'x' | '-' | ':' | ')'))) {
                    Some(flags) => {
                        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
                        let inner = (now || on.contains('x')) && !off.contains('x');
                        taken += 1 + flags.len();
                        // `(?x)` holds to the end of the group it is in.
                        match (flags.ends_with(')'), extended.last_mut()) {
                            (true, Some(here)) => *here = inner,
                            _ => extended.push(inner),
                        }
                    }
                    None => extended.push(now),
                }
            }
            ')' if class == 0 && extended.len() > 1 => {
                extended.pop();
            }
            '#' if class == 0 && now => {
                rest = behind.split_once('\n').map_or("", |(_, after)| after);
                out.push(' ');
                continue;
            }
            '\n' if class == 0 && now => {
                out.push(' ');
                rest = behind;
                continue;
            }
            _ => {}
        }
        let (part, after) = rest.split_at(taken);
        out.push_str(part);
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn comments_end_with_the_line_and_the_group() {
        assert_eq!(on_one_line("a # (one)\nb", true), "a  b");
        assert_eq!(on_one_line("a#b", false), "a#b");
        assert_eq!(on_one_line("[#] \\# # c", true), "[#] \\#  ");
        assert_eq!(on_one_line("(?x-mi:a # b)\n)#c", false), "(?x-mi:a  )#c");
        assert_eq!(on_one_line("(?-x:a #b) # c\n", true), "(?-x:a #b)  ");
        assert_eq!(on_one_line("((?x) a # b\n)#c", false), "((?x) a  )#c");
        assert_eq!(on_one_line("a(?# (b)c", false), "ac");
    }
}
