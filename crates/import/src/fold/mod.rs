//! Providers in Ruby that do what a native provider does with other settings: their methods are interpreted, through all classes that
//! they inherit from, until only calls of a known document or of the native provider's methods are left.

mod answers;
mod chain;
mod conditions;
mod documents;
mod interpreter;
mod listing;
mod value;

use super::class::{Parent, top};
use super::files::RubyFiles;
use super::provider::ProvidedType;
use chain::{Chain, Level};
use documents::{DocumentClass, Documents};
use interpreter::{Effect, HOOKS, Interpreter, Mode, Stop};
use rtype_lang::source::Source;
use ruby_prism::ParseResult;
use std::sync::Arc;
use value::{Document, Val};

/// Methods that Puppet calls on each provider, and that the native provider does not have.
const OTHERS: &[&str] = &["flush", "initialize", "post_resource_eval", "clear"];

/// A provider as settings of a native one.
#[derive(Debug)]
pub struct Folded {
    /// `TYPE/NAME` of the native provider.
    pub parent: String,
    /// Directives, written.
    pub directives: Vec<String>,
}

impl Folded {
    /// Returns whether one of the directives, or a method that they come from, has this name.
    pub fn has(&self, name: &str) -> bool {
        HOOKS.contains(&name) || self.directives.iter().any(|d| d.split(' ').next() == Some(name))
    }
}

/// Returns the settings with which a native provider does what a provider in Ruby does; `None` if none works with the same documents.
///
/// # Errors
/// Returns the reason why it does something else.
pub fn fold(
    owner: &ProvidedType<'_>,
    name: &str,
    source: &Arc<Source>,
    parent: Option<Parent>,
    files: &mut dyn RubyFiles,
) -> Option<Result<Folded, String>> {
    if !owner.scope.properties.contains("value") {
        return None;
    }
    let documents = Documents::read();
    let chain = Chain::read(source, (owner.name, name), parent, &documents, files)?;
    if chain.base.is_none() && !chain.texts.iter().any(|t| documents.are_in(t.text())) {
        return None;
    }
    let parsed: Vec<ParseResult<'_>> = chain.texts.iter().map(|t| ruby_prism::parse(t.text().as_bytes())).collect();
    let levels = chain.texts.iter().zip(&parsed).map(|(text, parsed)| text.level(&top(parsed))).collect::<Option<Vec<Level<'_>>>>()?;
    let folding = Folding { owner, levels: &levels, documents: &documents, base: chain.base.as_ref() };
    Some(folding.fold().map_err(|stop| match stop {
        Stop::Current => "it decides by the current value".to_owned(),
        Stop::Reason(reason) => reason,
    }))
}

struct Folding<'a, 'p> {
    owner: &'a ProvidedType<'a>,
    levels: &'a [Level<'p>],
    documents: &'a Documents,
    base: Option<&'a (String, String)>,
}

/// Where a setting is.
struct Located {
    section: Val,
    setting: Val,
    document: Val,
}

impl Located {
    /// Requires that a method means the same setting.
    fn is(&self, section: &Val, setting: &Val, document: &Val) -> Result<(), Stop> {
        if &self.section == section && &self.setting == setting && &self.document == document {
            return Ok(());
        }
        interpreter::stop("its methods use different settings of the file")
    }
}

impl Folding<'_, '_> {
    fn interpreter(&self) -> Interpreter<'_, '_> {
        Interpreter::new(self.owner, self.levels, self.base.is_some(), self.documents)
    }

    fn fold(&self) -> Result<Folded, Stop> {
        let properties = &self.owner.scope.properties;
        if let Some(other) = properties.iter().find(|p| !matches!(p.as_str(), "ensure" | "value")) {
            return interpreter::stop(format!("it has the property `{other}`"));
        }
        let defined = |method: &str, of_class| -> Result<bool, Stop> { Ok(self.interpreter().method(method, of_class, 0)?.is_some()) };
        for method in OTHERS {
            if defined(method, false)? {
                return interpreter::stop(format!("it has its own `{method}`"));
            }
        }
        if defined("prefetch", true)? {
            return interpreter::stop("it has its own `prefetch`");
        }
        let mut reading = self.interpreter();
        reading.mode = Mode::Finalize;
        if reading.call_method("exists?", false, 0, Vec::new())? != Val::Exists {
            return interpreter::stop("`exists?` does not say whether the file has the setting");
        }
        if reading.kept {
            return interpreter::stop("`exists?` assigns the current value, which may be missing");
        }
        // Puppet assigns when it reads; a `finalize` would do so when the resource is declared, and refuse what Puppet accepts.
        if !reading.lines.is_empty() {
            return interpreter::stop("`exists?` assigns attributes");
        }
        let located = self.located(&reading)?;
        let class = self.class(&located)?;
        self.getter(class, &located)?;
        self.changes(class, &located)?;
        let mut directives = self.settings(class, &located)?;
        if !self.is_listed()? {
            directives.push("unlisted true".into());
        }
        Ok(Folded { parent: format!("{}/{}", class.provider.0, class.provider.1), directives })
    }

    /// Returns the setting that `exists?` reads; without one, the native provider's.
    fn located(&self, reading: &Interpreter<'_, '_>) -> Result<Located, Stop> {
        let mut read = reading.read.iter();
        let located = match read.next() {
            Some((section, setting, document)) => {
                Located { section: section.clone(), setting: setting.clone(), document: document.clone() }
            }
            None => {
                let mut own = self.interpreter();
                Located {
                    section: own.call_method("section", false, 0, Vec::new())?,
                    setting: own.call_method("setting", false, 0, Vec::new())?,
                    document: own.call_method("ini_file", false, 0, Vec::new())?,
                }
            }
        };
        read.try_for_each(|(section, setting, document)| located.is(section, setting, document))?;
        Ok(located)
    }

    fn class(&self, located: &Located) -> Result<&DocumentClass, Stop> {
        let Val::Document(document) = &located.document else { return interpreter::stop("which file it reads is not understood") };
        let class = match (&document.class, self.base) {
            (Some(class), _) => self.documents.class(class),
            (None, Some((of, provider))) => self.documents.of_provider(of, provider),
            (None, None) => None,
        };
        class.map_or_else(|| interpreter::stop("which file it reads is not understood"), Ok)
    }

    /// Requires that `value` returns the value, in a list if settings may be repeated.
    fn getter(&self, class: &DocumentClass, located: &Located) -> Result<(), Stop> {
        let text = |t: &str| Val::Text(t.into());
        let one = |sample: Val| -> Result<Val, Stop> {
            let mut getter = self.interpreter();
            getter.sample = Some(sample);
            let value = getter.call_method("value", false, 0, Vec::new())?;
            getter.read.iter().try_for_each(|(section, setting, document)| located.is(section, setting, document))?;
            Ok(value)
        };
        let several = Val::List(vec![text("s"), text("t")]);
        let is_same = match class.is_repeated() {
            true => one(text("s"))? == Val::List(vec![text("s")]) && one(several.clone())? == several,
            false => one(text("s"))? == text("s"),
        };
        if is_same { Ok(()) } else { interpreter::stop("`value` returns something else than the value in the file") }
    }

    /// Requires that the methods that change the file do what the native provider does.
    fn changes(&self, class: &DocumentClass, located: &Located) -> Result<(), Stop> {
        for (method, arguments) in [("create", vec![]), ("value=", vec![Val::Param]), ("destroy", vec![])] {
            let mut change = self.interpreter();
            change.mode = Mode::Change;
            change.call_method(method, false, 0, arguments)?;
            change.read.iter().try_for_each(|(section, setting, document)| located.is(section, setting, document))?;
            let is_desired = |value: &Val| *value == Val::Param || *value == Val::Attr("value".into());
            match (method, change.effects.as_slice()) {
                (_, [Effect::Base(base)]) if base == method => {}
                ("destroy", [Effect::Remove { section, setting, document }, Effect::Save]) => located.is(section, setting, document)?,
                ("create" | "value=", [Effect::Set { section, setting, separator, value, document }, Effect::Save])
                    if is_desired(value) && self.separates(class, document, separator.as_ref(), method)? =>
                {
                    located.is(section, setting, document)?;
                }
                _ => return interpreter::stop(format!("`{method}` does something else than to change the setting")),
            }
        }
        Ok(())
    }

    /// Returns whether a setting is written with the separator of the document. An existing setting keeps its own.
    fn separates(&self, class: &DocumentClass, document: &Val, separator: Option<&Val>, method: &str) -> Result<bool, Stop> {
        let Some(separator) = separator else { return Ok(class.setting("separator").is_some() || method == "value=") };
        if class.setting("separator").is_some() {
            return Ok(false);
        }
        Ok(match document {
            Val::Document(document) => match document.arguments.get(1) {
                Some(own) => own == separator,
                None => *separator == self.interpreter().call_method("separator", false, 0, Vec::new())?,
            },
            _ => false,
        })
    }

    /// Returns the settings of the native provider.
    fn settings(&self, class: &DocumentClass, located: &Located) -> Result<Vec<String>, Stop> {
        let mut settings = class.settings.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
        let mut add = |name: &str, value: &Val| -> Result<(), Stop> {
            match value {
                Val::Hook(hook) if hook == name => {}
                Val::Nil => {}
                constant if constant.is_constant() => settings.push(format!("{name} {}", constant.written().unwrap_or_default())),
                value => match value.written() {
                    Some(code) => settings.push(format!("{name} {{ {code} }}")),
                    None => return interpreter::stop(format!("what its `{name}` is is not understood")),
                },
            }
            Ok(())
        };
        add("section", &located.section)?;
        add("setting", &located.setting)?;
        let Val::Document(document) = &located.document else { return Ok(settings) };
        match document.as_ref() {
            Document { class: None, .. } => {
                for hook in HOOKS.iter().filter(|h| !matches!(**h, "section" | "setting")) {
                    add(hook, &self.hook(hook)?)?;
                }
            }
            Document { arguments, .. } => {
                let names = ["file_path", "separator", "section_prefix", "section_suffix", "indent_char", "indent_width"];
                if arguments.len() > 1 && class.setting("separator").is_some() || arguments.len() > names.len() {
                    return interpreter::stop("how it opens the file is not understood");
                }
                for (name, value) in names.iter().zip(arguments) {
                    add(name, value)?;
                }
            }
        }
        Ok(settings)
    }

    /// Returns what a method of the native provider returns here. A class may have the path of its file.
    fn hook(&self, hook: &str) -> Result<Val, Stop> {
        let mut own = self.interpreter();
        let value = own.call_method(hook, false, 0, Vec::new())?;
        if hook == "file_path" && value == Val::Hook(hook.into()) && own.method(hook, true, 0)?.is_some() {
            return own.call_method(hook, true, 0, Vec::new());
        }
        Ok(value)
    }
}
