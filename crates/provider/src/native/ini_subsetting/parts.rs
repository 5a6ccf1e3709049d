//! The parts of a setting's value, as puppetlabs-inifile's `Puppet::Util::SettingValue` takes them apart.

/// The parts, and how they are written.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    items: Vec<String>,
    separator: String,
    quote: String,
    /// The separator of name and value of a part.
    assign: String,
    /// Whether a part is found by its whole text rather than its beginning.
    exact: bool,
}

impl Parts {
    /// Returns the parts of a value. `quote` is for values that have no quotes yet.
    pub(super) fn new(value: Option<&str>, separator: String, quote: String, assign: String, exact: bool) -> Parts {
        let value = value.unwrap_or_default();
        let quoted = ['"', '\''].into_iter().find_map(|q| Some((q, value.strip_prefix(q)?.strip_suffix(q)?)));
        let (quote, bare) = quoted.map_or((quote, value), |(q, bare)| (q.to_string(), bare));
        let parts = bare.split(|c| separator.contains(c)).filter(|p| !p.is_empty());
        let items = parts.map(|p| p.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\0').to_owned()).collect();
        Parts { items, separator, quote, assign, exact }
    }

    fn fits(&self, item: &str, name: &str) -> bool {
        if self.exact { item == name } else { item.strip_prefix(name).is_some_and(|rest| rest.starts_with(&self.assign)) }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| self.fits(item, name))
    }

    /// Returns the value of a part; an empty string for a part without a value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let item = self.items.get(self.find(name)?)?;
        let value = item.strip_prefix(name)?;
        Some(value.strip_prefix(&self.assign).unwrap_or_default())
    }

    /// Sets the value of all parts with this name, or inserts a new part at the given position.
    pub(super) fn set(&mut self, name: &str, value: &str, place: &str, near: &str) {
        let new = format!("{name}{}{value}", self.assign);
        if self.find(name).is_some() {
            let (exact, assign) = (self.exact, self.assign.clone());
            let fits = |item: &str| if exact { item == name } else { item.strip_prefix(name).is_some_and(|r| r.starts_with(&assign)) };
            self.items.iter_mut().filter(|item| fits(item)).for_each(|item| item.clone_from(&new));
            return;
        }
        let end = self.items.len();
        let at = match place {
            "start" => 0,
            "before" => self.find(near).unwrap_or(end),
            "after" => self.find(near).map_or(end, |at| at + 1),
            // Negative indexes count from the end, as in Ruby: -1 is the end.
            "index" => match near.trim().parse::<isize>() {
                Ok(at) if at < 0 => (end + 1).saturating_sub(at.unsigned_abs()),
                Ok(at) => at.unsigned_abs().min(end),
                Err(_) => 0,
            },
            _ => end,
        };
        self.items.insert(at, new);
    }

    /// Takes all parts of the name out.
    pub(super) fn remove(&mut self, name: &str) {
        let (exact, assign) = (self.exact, self.assign.clone());
        self.items.retain(|item| if exact { item != name } else { !item.strip_prefix(name).is_some_and(|r| r.starts_with(&assign)) });
    }

    /// Returns whether parsing a value yields these parts.
    pub(super) fn is_read_from(&self, value: &str) -> bool {
        let Parts { separator, quote, assign, .. } = self.clone();
        Parts::new(Some(value), separator, quote, assign, self.exact).items == self.items
    }

    /// Returns whether no part and no quotes are left.
    pub(super) fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// Returns the joined value.
    pub(super) fn text(&self) -> String {
        let quote = &self.quote;
        format!("{quote}{}{quote}", self.items.join(&self.separator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(value: &str) -> Parts {
        Parts::new(Some(value), " ".into(), String::new(), String::new(), false)
    }

    fn placed(place: &str, near: &str) -> String {
        let mut parts = parts("a b c");
        parts.set("x", "1", place, near);
        parts.text()
    }

    #[test]
    fn new_part_is_inserted_at_the_requested_position() {
        let all =
            [("end", ""), ("start", ""), ("before", "b"), ("after", "b"), ("before", "q"), ("index", "1"), ("index", "9"), ("index", "-2")];
        let expected = ["a b c x1", "x1 a b c", "a x1 b c", "a b x1 c", "a b c x1", "a x1 b c", "a b c x1", "a b x1 c"];
        assert_eq!(all.map(|(place, near)| placed(place, near)), expected);
    }

    #[test]
    fn parts_of_one_name_change_and_go_together() {
        let mut twice = parts("a1  b a2");
        twice.set("a", "9", "end", "");
        assert_eq!(twice.text(), "a9 b a9");
        twice.remove("a");
        assert_eq!(twice.text(), "b");
    }

    #[test]
    fn names_and_values_may_be_parted_and_whole_texts_compared() {
        let mut named = Parts::new(Some("user=a, uid=1"), ", ".into(), String::new(), "=".into(), false);
        assert_eq!((named.get("u"), named.get("uid")), (None, Some("1")));
        named.set("user", "b", "end", "");
        assert_eq!(named.text(), "user=b, uid=1");
        let mut exact = Parts::new(Some("ab"), " ".into(), String::new(), String::new(), true);
        exact.set("a", "", "end", "");
        assert_eq!((exact.text().as_str(), exact.get("a")), ("ab a", Some("")));
        exact.set("a", "", "end", "");
        assert_eq!(exact.text(), "ab a");
    }

    #[test]
    fn quotes_stay_and_are_put_around_new_values() {
        assert_eq!(parts("'a b'").text(), "'a b'");
        assert_eq!(Parts::new(None, " ".into(), "\"".into(), String::new(), false).text(), "\"\"");
    }
}
