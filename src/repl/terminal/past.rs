//! The history of inputs: stored as entered, edited with margins.

use super::margin::{MARGIN, with_margins};
use rustyline::Result;
use rustyline::history::{FileHistory, History, SearchDirection, SearchResult};
use std::borrow::Cow;
use std::path::Path;

/// A history that adds margins to entries when they are edited again.
pub(super) struct Past(pub FileHistory);

/// Adds margins to a found entry.
fn edited(found: SearchResult<'_>) -> SearchResult<'_> {
    if !found.entry.contains('\n') {
        return found;
    }
    let breaks = found.entry.get(..found.pos).unwrap_or_default().matches('\n').count();
    SearchResult { entry: Cow::Owned(with_margins(&found.entry)), idx: found.idx, pos: found.pos + breaks * MARGIN.len() }
}

impl History for Past {
    fn get(&self, index: usize, direction: SearchDirection) -> Result<Option<SearchResult<'_>>> {
        Ok(self.0.get(index, direction)?.map(edited))
    }

    fn add(&mut self, line: &str) -> Result<bool> {
        self.0.add(line)
    }

    fn add_owned(&mut self, line: String) -> Result<bool> {
        self.0.add_owned(line)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn set_max_len(&mut self, len: usize) -> Result<()> {
        self.0.set_max_len(len)
    }

    fn ignore_dups(&mut self, yes: bool) -> Result<()> {
        self.0.ignore_dups(yes)
    }

    fn ignore_space(&mut self, yes: bool) {
        self.0.ignore_space(yes);
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        self.0.save(path)
    }

    fn append(&mut self, path: &Path) -> Result<()> {
        self.0.append(path)
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        self.0.load(path)
    }

    fn clear(&mut self) -> Result<()> {
        self.0.clear()
    }

    fn search(&self, term: &str, start: usize, direction: SearchDirection) -> Result<Option<SearchResult<'_>>> {
        Ok(self.0.search(term, start, direction)?.map(edited))
    }

    fn starts_with(&self, term: &str, start: usize, direction: SearchDirection) -> Result<Option<SearchResult<'_>>> {
        Ok(self.0.starts_with(term, start, direction)?.map(edited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_several_lines_get_margins_and_positions_follow() {
        let mut past = Past(FileHistory::new());
        past.add("a {\n  b }").unwrap();
        let found = past.search("b", 0, SearchDirection::Reverse).unwrap().unwrap();
        assert_eq!(found.entry, with_margins("a {\n  b }"));
        assert_eq!(found.entry.get(found.pos..), Some("b }"));
        past.add("c").unwrap();
        assert_eq!(past.get(1, SearchDirection::Forward).unwrap().unwrap().entry, "c");
    }
}
