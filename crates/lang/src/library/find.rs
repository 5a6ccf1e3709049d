//! Finds the files that a type file depends on: `use`d files, providers, features and the prelude.

use super::home::{Home, type_name};
use super::loading::{Loading, Parsed};
use super::{MAX_USES, PRELUDE, STANDARD, standard};
use crate::diagnostics::{Code, Diagnostic};
use crate::lower::{NameKind, Reference, unread};
use crate::source::{Source, Span};
use crate::syntax::ast::{Ast, Item};
use std::path::Path;
use std::sync::Arc;

impl Loading {
    /// Appends to `out` the files that a file uses, directly or indirectly, and reports each unresolved `use`.
    pub(super) fn uses(&mut self, ast: &Ast, home: &Home, out: &mut Vec<Arc<Parsed>>) {
        for item in &ast.items {
            let Item::Use(used) = item else { continue };
            if out.len() >= MAX_USES {
                return;
            }
            let path = used.path.as_str();
            let inside = !path.is_empty() && Path::new(path).components().all(|c| matches!(c, std::path::Component::Normal(_)));
            // A file in a subdirectory such as `kinds` may also name files relative to the parent directory.
            let above = match home {
                Home::Directory(directory) => {
                    let above = directory.parent().filter(|p| self.loader.files.check(p).is_ok());
                    above.map(|p| Home::Directory(p.to_owned()))
                }
                Home::Module(_) | Home::Standard => None,
            };
            let homes = [Some(home.clone()), above, Some(Home::Standard)];
            let found = if inside { homes.into_iter().flatten().find_map(|h| self.file(&h, path)) } else { None };
            if let Some(found) = &found {
                let target = Span::new(found.ast.span.start, found.ast.span.start);
                self.used_files.push(Reference { span: used.path_span, target, kind: NameKind::File, defines: false });
            }
            match found {
                Some(found) if out.iter().any(|o| Arc::ptr_eq(o, &found)) => {}
                Some(found) => {
                    out.push(Arc::clone(&found));
                    self.uses(&found.ast, &found.home, out);
                }
                None => self.diagnostics.push(
                    Diagnostic::new(Code::UseNotFound, used.path_span, format!("cannot find `{path}.rtype`"))
                        .help("the path is relative to the directory of the types, without `..` and without `.rtype`"),
                ),
            }
        }
    }

    /// Returns the files `providers/TYPE/*.rtype` next to the type.
    pub(super) fn provider_files(&mut self, home: &Home, type_name: &str) -> Vec<Arc<Parsed>> {
        self.subdirectory(home, &format!("providers/{type_name}"))
    }

    /// Returns the files with more providers for a type: first from the type's directory, then, for a type in the standard library,
    /// from the directories of types.
    pub(super) fn all_provider_files(&mut self, home: &Home, type_name: &str) -> Vec<Arc<Parsed>> {
        let mut files = self.provider_files(home, type_name);
        if matches!(home, Home::Standard) {
            for directory in self.loader.directories().to_vec() {
                files.extend(self.provider_files(&Home::Directory(directory), type_name));
            }
        }
        files
    }

    /// Returns the parsed files of a directory, sorted by name.
    fn subdirectory(&mut self, home: &Home, subdirectory: &str) -> Vec<Arc<Parsed>> {
        let mut names: Vec<String> = match home {
            Home::Directory(directory) => {
                self.loader.files.entries(&directory.join(subdirectory)).iter().filter_map(|p| type_name(p)).collect()
            }
            // The translation of a module's type already contains the type's providers and features.
            Home::Module(_) => Vec::new(),
            Home::Standard => {
                STANDARD.get_dir(subdirectory).map(|d| d.files().filter_map(|f| type_name(f.path())).collect()).unwrap_or_default()
            }
        };
        names.sort();
        names.iter().filter_map(|name| self.file(home, &format!("{subdirectory}/{name}"))).collect()
    }

    /// Returns the files `features/*.rtype` if the source mentions features at all.
    pub(super) fn features(&mut self, home: &Home, ast: &Ast) -> Vec<Arc<Parsed>> {
        let speaks = self.sources.find(ast.span).is_some_and(|s| s.text().contains("feature"));
        if speaks { self.subdirectory(home, "features") } else { Vec::new() }
    }

    pub(super) fn prelude(&mut self) -> Option<Arc<Parsed>> {
        if self.prelude.is_none() {
            self.prelude = self.file(&Home::Standard, PRELUDE);
        }
        self.prelude.clone()
    }

    /// Reads and parses a file, once per library.
    pub(super) fn file(&mut self, home: &Home, path: &str) -> Option<Arc<Parsed>> {
        let key = home.key(path);
        if let Some(known) = self.parsed.get(&key) {
            return known.clone();
        }
        if let (Home::Module(_), Some(translate)) = (home, &self.loader.translate) {
            let file = Path::new(&key);
            let source = match if self.loader.files.exists(file) { self.loader.files.check(file).map(|()| true) } else { Ok(false) } {
                Ok(true) => {
                    let outcome = translate.translate(file, &self.loader.files, &self.sources);
                    self.diagnostics.extend(outcome.diagnostics);
                    outcome.value
                }
                Ok(false) => None,
                Err(why) => {
                    self.diagnostics.push(why);
                    None
                }
            };
            return self.parsed_as(key, home, source);
        }
        let text = match home {
            Home::Module(_) => None,
            Home::Standard => standard(path).map(str::to_owned),
            Home::Directory(_) => {
                if let Some(text) = self.loader.unsaved.get(Path::new(&key)) {
                    Some(text.to_string())
                } else if self.loader.files.exists(Path::new(&key)) {
                    self.loader.files.read(&key, false).map_err(|d| self.diagnostics.push(d)).ok()
                } else {
                    None
                }
            }
        };
        let source = text.and_then(|text| {
            let too_large = |e: crate::source::TooLarge| Diagnostic::new(Code::TooLarge, Span::NONE, e.to_string());
            self.keep(&key, text).map_err(|e| self.diagnostics.push(too_large(e))).ok()
        });
        self.parsed_as(key, home, source)
    }

    fn parsed_as(&mut self, key: String, home: &Home, source: Option<Arc<Source>>) -> Option<Arc<Parsed>> {
        let parsed = source.map(|source| {
            let parsed = self.parse(&source);
            let unread = unread(&parsed.diagnostics, &source);
            self.diagnostics.extend(parsed.diagnostics.iter().cloned());
            Arc::new(Parsed::new(Arc::clone(&parsed.ast), unread, home.clone(), Vec::new()))
        });
        self.parsed.insert(key, parsed.clone());
        parsed
    }
}
