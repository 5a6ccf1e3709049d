//! Sessions that check files and directories: file selection, baseline and fixes.

use super::{CheckSession, since};
use crate::app::input::{self, ChangedLines, Collected};
use crate::app::session::{Session, shorten};
use rtype_author::check::{self, Baseline, Checked, Fixed, Input, LeftOut, LeftOutReason, Selection};
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::library::STDIN;
use rtype_manifest::check::Hierarchies;
use rtype_system::named;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The extensions of the files that are checked in directories.
pub(crate) const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml", "rb"];

/// The default file for a new baseline.
const BASELINE: &str = "rtype-baseline.json";

/// The request of a check.
pub(crate) struct CheckRequest<'a> {
    /// Files and directories; `-` is standard input.
    pub paths: &'a [String],
    /// The name to show for standard input.
    pub stdin: Option<&'a Path>,
    /// The baseline to use instead of the configured one.
    pub baseline: Option<&'a Path>,
    /// The use of the findings.
    pub purpose: CheckPurpose,
    /// The git revision to compare the working tree with: only findings in changes are kept.
    pub since: Option<&'a str>,
    /// The rules.
    pub selection: &'a Selection,
}

impl CheckRequest<'_> {
    /// Returns the paths given by the user, in the form that findings use.
    fn named(&self) -> BTreeSet<PathBuf> {
        let stdin = self.stdin.unwrap_or(Path::new(STDIN));
        self.paths.iter().flat_map(|path| [Some(input::relative(path).into()), (path == "-").then(|| stdin.to_owned())]).flatten().collect()
    }
}

/// The use of a check's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckPurpose {
    /// Findings are reported. Findings above the display limit are dropped.
    Report,
    /// Findings are written to a new baseline. The existing baseline is not applied.
    NewBaseline,
    /// Findings are fixed.
    Fix,
    /// Findings are suppressed by comments.
    Suppress,
    /// Findings are suppressed by comments, or written to the baseline if the file format has no comments.
    Adopt,
}

/// The result of checking files.
pub(crate) struct FileCheck {
    selection: Selection,
    inputs: Vec<Input>,
    /// The errors about files that could not be read.
    pub unread: Vec<Diagnostic>,
    /// The findings that the baseline does not contain.
    pub checked: Checked,
    /// The number of findings in the baseline.
    pub known: usize,
    /// The number of findings removed by `--since`.
    pub unchanged: usize,
    changes: Option<ChangedLines>,
    /// Files and directories that were not checked.
    left_out: Vec<LeftOut>,
    /// The paths that the user named.
    named: BTreeSet<PathBuf>,
    baseline: Option<Baseline>,
    baseline_path: PathBuf,
}

/// The result of fixing findings.
pub(crate) struct Fixes {
    /// The fixed files.
    pub files: Vec<Fixed>,
    /// The files with fixes that would have caused errors. These fixes were dropped.
    pub dropped: Vec<String>,
}

/// A baseline after writing.
pub(crate) struct WrittenBaseline {
    /// The path of the baseline.
    pub path: PathBuf,
    /// The number of findings in the baseline.
    pub count: usize,
    /// Findings that no baseline can contain.
    pub rest: Vec<Diagnostic>,
}

impl FileCheck {
    /// Reads and checks files.
    ///
    /// # Errors
    /// If the baseline or the revision cannot be read.
    pub fn run(request: &CheckRequest<'_>, session: &mut Session) -> Result<FileCheck, Box<Diagnostic>> {
        let configured = session.config.baseline.as_ref().map(|setting| setting.path.clone());
        let named = request.baseline.map(Path::to_owned).or(configured);
        let baseline_path = named.clone().unwrap_or_else(|| PathBuf::from(BASELINE));
        let Collected { files, left_out, diagnostics: mut found } = choose(request, &baseline_path, session);
        let inputs = session.inputs(&files, request.stdin, &mut found);
        let unread = found.clone();
        let used = named.filter(|path| match request.purpose {
            CheckPurpose::NewBaseline => false,
            CheckPurpose::Adopt => named::exists(path),
            CheckPurpose::Report | CheckPurpose::Fix | CheckPurpose::Suppress => true,
        });
        let baseline = used.map(|path| read_baseline(&path, session)).transpose()?;
        let changes = request.since.map(ChangedLines::since).transpose()?;
        let shown = session.max_findings.saturating_add(baseline.as_ref().map_or(0, Baseline::len));
        let most_kept =
            if request.purpose == CheckPurpose::Report && changes.is_none() { request.selection.most_kept.max(shown) } else { usize::MAX };
        let selection = Selection { most_kept, ..request.selection.clone() };
        let checked = session.check(&inputs, found, &selection);
        let named = request.named();
        let (known, unchanged) = (0, 0);
        let mut check =
            FileCheck { selection, inputs, unread, checked, left_out, known, unchanged, changes, named, baseline, baseline_path };
        check.filter_all(session);
        Ok(check)
    }

    /// Applies the fixes of the findings, in memory.
    pub fn fixes(&self, also_unsafe: bool, session: &Session) -> Fixes {
        let mut again = |texts: &[(String, String)]| {
            let (other, _, checked) = session.check_apart(texts.to_vec(), &self.selection);
            (checked, other.types.sources)
        };
        let (files, dropped) = check::fix(&self.inputs, &self.checked, &session.types.sources, also_unsafe, &mut again);
        Fixes { files, dropped }
    }

    /// Adds comments that suppress findings, in memory.
    pub fn suppressions(&self, session: &Session) -> Fixes {
        let mut again = |texts: &[(String, String)]| {
            let (other, _, mut checked) = session.check_apart(texts.to_vec(), &self.selection);
            self.filter(&mut checked, &other);
            (checked, other.types.sources)
        };
        let files = check::adopt(&self.checked, &session.types.sources, &mut again);
        Fixes { files, dropped: Vec::new() }
    }

    /// Returns the secrets in a file.
    pub fn secrets(&self, name: &str, session: &Session) -> Vec<String> {
        let source = self.inputs.iter().map(Input::source).find(|source| source.name() == name);
        source.map(|source| session.types.secrets.words(source)).unwrap_or_default()
    }

    /// Checks the fixed files, and writes the remaining findings to the baseline.
    ///
    /// # Errors
    /// If the baseline cannot be written.
    pub fn write_baseline_of_fixed(mut self, fixes: &Fixes, session: &mut Session) -> Result<WrittenBaseline, Box<Diagnostic>> {
        // The findings of the earlier baseline are written again, so the baseline must not hide them.
        self.baseline = None;
        self.check_fixed(fixes, session);
        self.write_baseline(session)
    }

    /// Checks the fixed files instead of the given files.
    pub fn check_fixed(&mut self, fixes: &Fixes, session: &mut Session) {
        session.start_afresh();
        let texts = self.inputs.iter().map(|i| {
            let name = i.source().name();
            let text = fixes.files.iter().find(|f| f.name == name).map_or_else(|| i.source().text(), |f| &f.after);
            (name.to_owned(), text.to_owned())
        });
        let texts = texts.collect();
        let mut found = self.unread.clone();
        self.inputs = session.inputs_of(texts, &mut found);
        self.checked = session.check(&self.inputs, found, &self.selection);
        self.filter_all(session);
    }

    fn filter_all(&mut self, session: &Session) {
        let mut checked = std::mem::take(&mut self.checked);
        self.known = self.filter(&mut checked, session);
        if let Some(changes) = &self.changes {
            let before = checked.findings.len();
            since::keep_changed(&mut checked, &self.inputs, changes, &session.types.sources);
            self.unchanged = before - checked.findings.len();
        }
        self.checked = checked;
    }

    /// Removes findings about parts of Ruby files and manifests that rtype could not read, and counts these parts as not checked.
    /// Removes the findings of the baseline, and returns their number.
    fn filter(&self, checked: &mut Checked, session: &Session) -> usize {
        let unread = self.unread.iter().filter_map(|why| LeftOutReason::of(why.code));
        checked.left_out.clone_from(&self.left_out);
        checked.left_out.extend(unread.map(|reason| LeftOut { path: String::new(), reason }));
        let is_selected = self.selection.select.iter().any(|selector| selector.holds(Code::Untranslated));
        checked.take_limits(&session.types.sources, session.verbose, is_selected, &|file| self.named.contains(file));
        if self.unread.is_empty() {
            let has_files = |directory: &Path| checked.files.iter().any(|file| is_below(Path::new(file), directory));
            let empty = self.named.iter().filter(|path| named::is_dir(path) && !has_files(path));
            let empty: Vec<Diagnostic> = empty.map(|path| input::nothing_to_check(&path.to_string_lossy(), EXTENSIONS, &[])).collect();
            empty.into_iter().for_each(|diagnostic| checked.add(diagnostic));
        }
        self.baseline.as_ref().map_or(0, |b| b.apply(checked, &self.selection))
    }

    /// Drops the findings that exceed the limit of the session.
    pub fn limit(&mut self, session: &Session) {
        self.checked.limit(session.max_findings, &session.types.sources);
        self.checked.findings.iter_mut().map(|finding| &mut finding.diagnostic).for_each(shorten);
    }

    /// Returns whether the check found errors, or more warnings than `max_warnings` or the configuration allows.
    pub fn has_failed(&self, max_warnings: Option<usize>, session: &Session) -> bool {
        let most = max_warnings.or(session.config.max_warnings).unwrap_or(0);
        self.checked.count(Severity::Error) > 0 || self.checked.count(Severity::Warning) > most
    }

    /// Writes the findings to the baseline. Baseline entries about files that were not checked stay.
    ///
    /// # Errors
    /// If the baseline cannot be written.
    pub fn write_baseline(self, session: &Session) -> Result<WrittenBaseline, Box<Diagnostic>> {
        let FileCheck { selection, checked, baseline_path: path, .. } = self;
        let mut baseline = Baseline::of(&checked, &session.types.sources, &selection.root);
        if named::exists(&path)
            && let Ok(old) = read_baseline(&path, session)
        {
            let up: PathBuf = selection.root.inside.components().map(|_| "..").collect();
            baseline.keep(old, &checked, &selection, &|file| named::exists(up.join(file)));
        }
        session.access.write(&path.to_string_lossy(), &baseline.to_text())?;
        let has_no_place = |d: &Diagnostic| session.types.sources.find(d.span()).is_none();
        let rest = checked.findings.into_iter().map(|f| f.diagnostic).filter(has_no_place).collect();
        Ok(WrittenBaseline { path, count: baseline.len(), rest })
    }
}

impl Fixes {
    /// Returns how many findings are fixed.
    pub fn count(&self) -> usize {
        self.files.iter().map(|file| file.fixes).sum()
    }
}

impl Session {
    /// Checks inputs with the types, providers and machine of the session.
    pub fn check(&mut self, inputs: &[Input], before: Vec<Diagnostic>, selection: &Selection) -> Checked {
        CheckSession { providers: &self.natives, world: &self.machine, selection }.run(inputs, before, &mut self.types)
    }

    /// Checks sources in a new session, and returns the session with the inputs.
    pub fn check_apart(&self, texts: Vec<(String, String)>, selection: &Selection) -> (Session, Vec<Input>, Checked) {
        let mut other = self.beside();
        let mut found = Vec::new();
        let inputs = other.inputs_of(texts, &mut found);
        let checked = other.check(&inputs, found, selection);
        (other, inputs, checked)
    }
}

/// Returns whether a directory contains a file, at any depth.
fn is_below(file: &Path, directory: &Path) -> bool {
    if directory == Path::new(".") { file.is_relative() } else { file.starts_with(directory) }
}

/// Returns the files to check: the named files, and the files in named directories except the baseline and data without resources.
fn choose(request: &CheckRequest<'_>, baseline: &Path, session: &mut Session) -> Collected {
    let mut found = session.collect(request.paths, EXTENSIONS);
    request.baseline.iter().for_each(|path| session.admit(path));
    let root = &request.selection.root;
    let baseline = root.place(&baseline.to_string_lossy());
    let named = request.named();
    session.exclude(&mut found);
    // A checked type file also defines the type named like the file.
    let is_types = |file: &&PathBuf| file.extension().is_some_and(|e| e == "rtype" || e == "rb");
    let mut types = session.types.names();
    types.extend(found.files.iter().filter(is_types).filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    let mut hierarchies = Hierarchies::default();
    let Collected { files, left_out, .. } = &mut found;
    files.retain(|file| {
        let path = file.to_string_lossy();
        if named.contains(file) {
            return true;
        }
        if root.place(&path) == baseline {
            return false;
        }
        let is_checked = session.holds_resources(file, &types) || hierarchies.place(file, &*session.types.files()).is_some();
        if !is_checked {
            let reason = if session.is_data(file) { LeftOutReason::NoResources } else { LeftOutReason::NotData };
            left_out.push(LeftOut { path: path.into_owned(), reason });
        }
        is_checked
    });
    found
}

fn read_baseline(path: &Path, session: &Session) -> Result<Baseline, Box<Diagnostic>> {
    let source = session.types.read(&path.to_string_lossy())?;
    Ok(Baseline::parse(&source)?)
}
