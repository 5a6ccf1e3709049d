//! ERB templates as Ruby code with the same lines.

/// What a tag contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Code,
    Value,
    Comment,
}

/// The code that is written.
#[derive(Default)]
struct Script {
    done: String,
    line: Vec<String>,
}

impl Script {
    fn push(&mut self, command: String) {
        self.line.push(command);
    }

    fn end_line(&mut self) {
        self.done.push_str(&self.line.join("; "));
        self.done.push('\n');
        self.line.clear();
    }

    /// Adds the output of a text. The newlines of the text are added as code, so that line 7 of the template is line 7 of the code.
    fn put(&mut self, text: &mut String) {
        if !text.is_empty() {
            let lines = "\n".repeat(text.matches('\n').count());
            self.push(format!("_erbout.<< {}.freeze{lines}", quoted(text)));
            text.clear();
        }
    }
}

/// Returns the code of a template with Puppet's trim mode `-`. Tags in one line of the template become one line of Ruby, so that, as with ERB,
/// a comment in a tag also comments out the tags after it.
pub(super) fn compile(template: &str) -> String {
    let mut script = Script::default();
    let (mut rest, mut content, mut tag) = (template, String::new(), None);
    while !rest.is_empty() {
        if let Some(open) = tag {
            let (at, mark) = closing(rest);
            content.push_str(rest.get(..at).unwrap_or_default());
            rest = rest.get(at + mark.len()..).unwrap_or_default();
            if mark == "%%>" {
                content.push_str("%>");
            } else if !mark.is_empty() {
                close(&mut script, open, &mut content);
                tag = None;
                if let Some(after) = trimmed(mark, rest) {
                    rest = after;
                    script.end_line();
                }
            }
        } else {
            let (at, length, found) = opening(rest);
            let text = rest.get(..at).unwrap_or_default();
            content.push_str(text);
            if text == "\n" {
                script.put(&mut content);
            }
            rest = rest.get(at + length..).unwrap_or_default();
            match found {
                Opening::Tag(kind) => {
                    script.put(&mut content);
                    tag = Some(kind);
                }
                Opening::Escaped => content.push_str("<%"),
                Opening::End => {}
            }
        }
    }
    script.put(&mut content);
    script.done.push_str(&script.line.join("; "));
    script.done
}

/// Returns the text after the newline that `-%>` removes.
fn trimmed<'t>(mark: &str, rest: &'t str) -> Option<&'t str> {
    if mark != "-%>" {
        return None;
    }
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))
}

/// Writes the content of a tag.
fn close(script: &mut Script, tag: Tag, content: &mut String) {
    match tag {
        Tag::Code if content.ends_with('\n') => {
            content.pop();
            script.push(std::mem::take(content));
            script.end_line();
        }
        Tag::Code => script.push(std::mem::take(content)),
        Tag::Value => script.push(format!("_erbout.<<(({content}).to_s)")),
        // The lines of a comment do not count, as in ERB.
        Tag::Comment => {}
    }
    content.clear();
}

enum Opening {
    Tag(Tag),
    Escaped,
    End,
}

/// Returns place, length and kind of the next opening mark.
fn opening(text: &str) -> (usize, usize, Opening) {
    let mut line_start = Some(0);
    for (at, c) in text.char_indices() {
        match c {
            '<' => {
                let rest = text.get(at..).unwrap_or_default();
                let found = match rest.strip_prefix("<%") {
                    None => None,
                    Some(tail) if tail.starts_with('-') => Some((3, Opening::Tag(Tag::Code))),
                    Some(tail) if tail.starts_with('%') => Some((3, Opening::Escaped)),
                    Some(tail) if tail.starts_with('=') => Some((3, Opening::Tag(Tag::Value))),
                    Some(tail) if tail.starts_with('#') => Some((3, Opening::Tag(Tag::Comment))),
                    Some(_) => Some((2, Opening::Tag(Tag::Code))),
                };
                if let Some((length, kind)) = found {
                    let start = if rest.starts_with("<%-") { line_start.unwrap_or(at) } else { at };
                    return (start, at - start + length, kind);
                }
                line_start = None;
            }
            '\n' => line_start = Some(at + 1),
            ' ' | '\t' => {}
            _ => line_start = None,
        }
    }
    (text.len(), 0, Opening::End)
}

/// Returns place and text of the next closing mark.
fn closing(text: &str) -> (usize, &'static str) {
    let found = text.char_indices().find_map(|(at, c)| {
        let rest = text.get(at..)?;
        let marks: &[&'static str] = match c {
            '%' => &["%%>", "%>"],
            '-' => &["-%>"],
            _ => &[],
        };
        marks.iter().find(|mark| rest.starts_with(**mark)).map(|mark| (at, *mark))
    });
    found.unwrap_or((text.len(), ""))
}

/// Returns a text as a string of Ruby.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '#' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns whether a template may read instance variables without naming them.
pub(super) fn reads_all_variables(template: &str) -> bool {
    template.contains("instance_variable")
}

/// Returns the names after `@`.
pub(super) fn variable_names(template: &str) -> std::collections::BTreeSet<&str> {
    let name = |part: &'_ str| part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
    template.split('@').skip(1).map(|part| part.get(..name(part)).unwrap_or_default()).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::compile;

    /// Ruby's ERB compiles these templates to the same code.
    #[test]
    fn the_code_has_the_lines_of_the_template() {
        let code = compile("a\n<% if x -%>\n  b <%= y %>\n  <%- end -%>\nc <%% %>\n<%# no -%>\nd");
        assert_eq!(
            code,
            "_erbout.<< \"a\\n\".freeze\n;  if x \n_erbout.<< \"  b \".freeze; _erbout.<<(( y ).to_s); _erbout.<< \"\\n\".freeze\n;  end \n\
             _erbout.<< \"c <% %>\\n\".freeze\n\n_erbout.<< \"d\".freeze"
        );
    }

    #[test]
    fn spaces_after_a_closed_tag_belong_to_the_next_one() {
        assert_eq!(compile("<%= x %>  <%- y -%>"), "_erbout.<<(( x ).to_s);  y \n");
    }
}
