//! Sessions that check files and directories: which files, with which baseline, and fixes.

use super::CheckSession;
use crate::app::input;
use crate::app::session::{Session, shorten};
use rtype_author::check::{self, Baseline, Checked, Fixed, Input, Selection};
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_system::named;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The extensions of the files that are checked in directories.
pub(crate) const EXTENSIONS: &[&str] = &["rtype", "pp", "json", "yaml", "yml", "rb"];

/// The default file for a new baseline.
const BASELINE: &str = "rtype-baseline.json";

/// What to check.
pub(crate) struct CheckRequest<'a> {
    /// Files and directories; `-` is standard input.
    pub paths: &'a [String],
    /// The name to show for standard input.
    pub stdin: Option<&'a Path>,
    /// The baseline to use instead of the configured one.
    pub baseline: Option<&'a Path>,
    /// What the findings are for.
    pub purpose: CheckPurpose,
    /// The rules.
    pub selection: &'a Selection,
}

/// What the findings of a check are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckPurpose {
    /// To be reported; only as many are kept as are shown.
    Report,
    /// To be written to a baseline, which is therefore not used.
    NewBaseline,
    /// To be fixed.
    Fix,
}

/// Files that have been checked.
pub(crate) struct FileCheck {
    selection: Selection,
    inputs: Vec<Input>,
    /// Why files could not be read.
    pub unread: Vec<Diagnostic>,
    /// The findings, without those of the baseline.
    pub checked: Checked,
    /// How many named files the configuration excludes.
    pub excluded: usize,
    /// How many findings the baseline contains.
    pub known: usize,
    /// The paths that the user named.
    named: HashSet<PathBuf>,
    baseline: Option<Baseline>,
    baseline_path: PathBuf,
}

/// The result of fixing findings.
pub(crate) struct Fixes {
    /// The fixed texts.
    pub files: Vec<Fixed>,
    /// The files whose fixes were dropped, because they would have caused errors.
    pub dropped: Vec<String>,
}

/// A baseline that has been written.
pub(crate) struct WrittenBaseline {
    /// Its file.
    pub path: PathBuf,
    /// How many findings it contains.
    pub count: usize,
    /// Findings that no baseline can contain.
    pub rest: Vec<Diagnostic>,
}

/// The files to check.
struct ChosenFiles {
    files: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    excluded: usize,
}

impl FileCheck {
    /// Reads and checks files.
    ///
    /// # Errors
    /// If the baseline cannot be read.
    pub fn run(request: &CheckRequest<'_>, session: &mut Session) -> Result<FileCheck, Box<Diagnostic>> {
        let configured = session.config.baseline.as_ref().map(|setting| setting.path.clone());
        let named = request.baseline.map(Path::to_owned).or(configured);
        let baseline_path = named.clone().unwrap_or_else(|| PathBuf::from(BASELINE));
        let ChosenFiles { files, diagnostics: mut found, excluded } = choose(request, &baseline_path, session);
        let inputs = session.inputs(&files, request.stdin, &mut found);
        let unread = found.clone();
        let used = named.filter(|_| request.purpose != CheckPurpose::NewBaseline);
        let baseline = used.map(|path| read_baseline(&path, session)).transpose()?;
        let shown = session.max_findings.saturating_add(baseline.as_ref().map_or(0, Baseline::len));
        let most_kept = if request.purpose == CheckPurpose::Report { request.selection.most_kept.max(shown) } else { usize::MAX };
        let selection = Selection { most_kept, ..request.selection.clone() };
        let mut checked = session.check(&inputs, found, &selection);
        let named = request.paths.iter().map(|path| input::relative(path).into()).collect();
        limits(&mut checked, &named, session, &selection);
        let known = baseline.as_ref().map_or(0, |b| b.apply(&mut checked, &selection));
        Ok(FileCheck { selection, inputs, unread, checked, excluded, known, named, baseline, baseline_path })
    }

    /// Fixes what can be fixed, in memory.
    pub fn fixes(&self, also_unsafe: bool, session: &Session) -> Fixes {
        let mut again = |texts: &[(String, String)]| {
            let (other, _, checked) = session.check_apart(texts.to_vec(), &self.selection);
            (checked, other.types.sources)
        };
        let (files, dropped) = check::fix(&self.inputs, &self.checked, &session.types.sources, also_unsafe, &mut again);
        Fixes { files, dropped }
    }

    /// Returns the secrets in a text.
    pub fn secrets(&self, name: &str, session: &Session) -> Vec<String> {
        let source = self.inputs.iter().map(Input::source).find(|source| source.name() == name);
        source.map(|source| session.types.secrets.words(source)).unwrap_or_default()
    }

    /// Checks the fixed texts instead of the given ones.
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
        limits(&mut self.checked, &self.named, session, &self.selection);
        self.known = self.baseline.as_ref().map_or(0, |b| b.apply(&mut self.checked, &self.selection));
    }

    /// Drops the findings that exceed the limit of the session.
    pub fn limit(&mut self, session: &Session) {
        self.checked.limit(session.max_findings, &session.types.sources);
        self.checked.findings.iter_mut().map(|finding| &mut finding.diagnostic).for_each(shorten);
    }

    /// Returns whether there are errors, or more warnings than allowed here or by the configuration.
    pub fn has_failed(&self, max_warnings: Option<usize>, session: &Session) -> bool {
        let most = max_warnings.or(session.config.max_warnings).unwrap_or(0);
        self.checked.count(Severity::Error) > 0 || self.checked.count(Severity::Warning) > most
    }

    /// Writes the findings to the baseline. Its entries about files that were not checked stay.
    ///
    /// # Errors
    /// If it cannot be written.
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
        let rest = checked.findings.into_iter().map(|f| f.diagnostic).filter(|d| !check::is_ignorable(d.code)).collect();
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
    /// Checks texts with the types, providers and machine of the session.
    pub fn check(&mut self, inputs: &[Input], before: Vec<Diagnostic>, selection: &Selection) -> Checked {
        CheckSession { providers: &self.natives, world: &self.machine, selection }.run(inputs, before, &mut self.types)
    }

    /// Checks texts in a second session that has read nothing yet. Returns it with the texts.
    pub fn check_apart(&self, texts: Vec<(String, String)>, selection: &Selection) -> (Session, Vec<Input>, Checked) {
        let mut other = self.beside();
        let mut found = Vec::new();
        let inputs = other.inputs_of(texts, &mut found);
        let checked = other.check(&inputs, found, selection);
        (other, inputs, checked)
    }
}

/// Takes out what could not be read of Ruby files, unless that was asked for; with `--verbose`, it is kept as notes.
fn limits(checked: &mut Checked, named: &HashSet<PathBuf>, session: &Session, selection: &Selection) {
    if !selection.select.iter().any(|selector| selector.holds(Code::Untranslated)) {
        checked.take_limits(&session.types.sources, session.verbose, &|file| named.contains(file));
    }
}

/// Returns the files to check: those that are named, and in directories all but the baseline and data without resources.
fn choose(request: &CheckRequest<'_>, baseline: &Path, session: &mut Session) -> ChosenFiles {
    let (mut files, mut diagnostics) = session.collect(request.paths, EXTENSIONS);
    request.baseline.iter().for_each(|path| session.admit(path));
    let root = &request.selection.root;
    let baseline = root.place(&baseline.to_string_lossy());
    let named: HashSet<PathBuf> = request.paths.iter().map(|named| input::relative(named).into()).collect();
    let excluded = session.exclude(&mut files, &named);
    let mut others = 0;
    // Types that are checked are known by the names of their files.
    let is_types = |file: &&PathBuf| file.extension().is_some_and(|e| e == "rtype" || e == "rb");
    let mut types = session.types.names();
    types.extend(files.iter().filter(is_types).filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    files.retain(|file| {
        let is_baseline = root.place(&file.to_string_lossy()) == baseline;
        let is_named = named.contains(file);
        let is_other = !is_named && !is_baseline && !session.holds_resources(file, &types);
        others += usize::from(is_other);
        is_named || !(is_other || is_baseline)
    });
    if files.is_empty() && others > 0 && diagnostics.is_empty() {
        diagnostics.push(input::nothing(&request.paths.join("`, `"), EXTENSIONS));
    }
    ChosenFiles { files, diagnostics, excluded }
}

fn read_baseline(path: &Path, session: &Session) -> Result<Baseline, Box<Diagnostic>> {
    let source = session.types.read(&path.to_string_lossy())?;
    Ok(Baseline::parse(&source)?)
}
