//! Translates conditions around the directives of a provider: `if`, `unless` and `case` around `commands`, `confine` and `has_feature`.

use super::block::{AttributeContext, BlockTranslator};
use super::eval::PUPPET_VERSION;
use super::nodes::visiting;
use super::provider_body::{BodyTranslator, DECIDING, feature_names, which};
use super::provider_locals::operand;
use super::ruby::{self, is_word, name};
use super::type_decl::Fragment;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node, Visit};

/// Maximum depth of conditions in each other.
pub(super) const MAX_BRANCHES: usize = 16;

/// What the directives in branches are asked for.
#[derive(Clone, Copy)]
enum BranchQuery<'w> {
    /// Whether all programs of `commands` exist and all `confine`s hold.
    Suitable,
    /// Whether the provider has a feature.
    Feature(&'w str),
}

impl BranchQuery<'_> {
    /// The answer of a branch without directives.
    fn nothing(self) -> &'static str {
        match self {
            BranchQuery::Suitable => "true",
            BranchQuery::Feature(_) => "false",
        }
    }

    fn operator(self) -> &'static str {
        match self {
            BranchQuery::Suitable => " && ",
            BranchQuery::Feature(_) => " || ",
        }
    }
}

impl BodyTranslator<'_> {
    /// Translates a condition around directives: to one `confine`, and to features that depend on platform features declared in the
    /// file. Returns whether all that the branches contain is understood.
    pub(super) fn conditional(&mut self, node: &Node<'_>) -> bool {
        let all = std::slice::from_ref(node);
        let mut claims = Claims::default();
        visiting(node, || claims.visit(node));
        let suitable = self.decision(all, BranchQuery::Suitable, 0).and_then(|code| match code.as_str() {
            "true" => Some(None),
            _ => self.with_locals(code).ok().map(Some),
        });
        let (Some(suitable), Some(features)) = (suitable, claims.features()) else { return false };
        let mut codes: Vec<(String, Vec<String>)> = Vec::new();
        for feature in features {
            let code = self.decision(all, BranchQuery::Feature(&feature), 0).and_then(|code| self.with_locals(code).ok());
            let Some(code) = code else { return false };
            match codes.iter_mut().find(|(known, _)| *known == code) {
                Some((_, same)) => same.push(feature),
                None => codes.push((code, vec![feature])),
            }
        }
        let platform = |features: &[String]| features.first().map(|first| format!("{}_{first}", self.name)).filter(|p| is_word(p));
        let is_taken = |platform: &String| self.before.iter().any(|(text, _)| text.starts_with(&format!("feature {platform},")));
        let platforms: Option<Vec<String>> = codes.iter().map(|(_, features)| platform(features).filter(|p| !is_taken(p))).collect();
        let Some(platforms) = platforms else { return false };
        for ((code, features), platform) in codes.into_iter().zip(platforms) {
            let first = features.first().cloned().unwrap_or_default();
            self.before.push((format!("feature {platform}, \"What `{}` takes for `{first}`.\" {code}", self.name), self.pieces.len()));
            let claim = if features.len() == 1 { "has_feature" } else { "has_features" };
            let text = format!("{claim} {}, feature: {platform}", features.join(", "));
            self.pieces.push(Fragment { at: ruby::place(node), kept: "confine".into(), text, blocks: 1, ..Fragment::default() });
        }
        if let Some(code) = suitable {
            self.block(node, code);
        }
        true
    }

    /// Returns the answer of statements; `None` if one is not understood.
    fn decision(&self, body: &[Node<'_>], query: BranchQuery<'_>, depth: usize) -> Option<String> {
        let mut found = Vec::new();
        for node in body {
            if node.as_def_node().is_some() {
                continue;
            }
            match node.as_call_node() {
                Some(call) => found.extend(self.answer(&call, query)?),
                None => found.push(self.of_branches(node, query, depth)?),
            }
        }
        found.retain(|one| one != query.nothing());
        Some(match found.as_slice() {
            [] => query.nothing().to_owned(),
            [only] => only.clone(),
            all => all.iter().map(|one| compound(one)).collect::<Vec<_>>().join(query.operator()),
        })
    }

    /// Returns the answer of `if`, `unless` or `case`.
    fn of_branches(&self, node: &Node<'_>, query: BranchQuery<'_>, depth: usize) -> Option<String> {
        let depth = Some(depth + 1).filter(|depth| *depth < MAX_BRANCHES)?;
        let inside = |statements: Option<ruby_prism::StatementsNode<'_>>| {
            self.decision(&ruby::statements(statements.map(|s| s.as_node())), query, depth)
        };
        if let Some(branch) = node.as_unless_node() {
            let no = inside(branch.statements())?;
            let yes = inside(branch.else_clause().and_then(|other| other.statements()))?;
            return Some(either(&self.test_of(&branch.predicate())?, &yes, &no));
        }
        if let Some(branch) = node.as_if_node() {
            if let Some(holds) = known_test(&branch.predicate()) {
                let other = || match branch.subsequent() {
                    None => Some(query.nothing().to_owned()),
                    Some(next) => match next.as_else_node() {
                        Some(other) => inside(other.statements()),
                        None => self.of_branches(&next, query, depth),
                    },
                };
                return if holds { inside(branch.statements()) } else { other() };
            }
            let yes = inside(branch.statements())?;
            let no = match branch.subsequent() {
                None => query.nothing().to_owned(),
                Some(next) => match next.as_else_node() {
                    Some(other) => inside(other.statements())?,
                    None => self.of_branches(&next, query, depth)?,
                },
            };
            return Some(either(&self.test_of(&branch.predicate())?, &yes, &no));
        }
        let case = node.as_case_node()?;
        let mut arms = Vec::new();
        for when in case.conditions().iter() {
            let when = when.as_when_node()?;
            let context = AttributeContext::default();
            let mut block = BlockTranslator::new(self.owner.scope, self.source, Some(&context));
            let patterns: Option<Vec<String>> = when.conditions().iter().map(|p| block.pattern(&p).ok()).collect();
            arms.push((patterns?.join(" | "), inside(when.statements())?));
        }
        arms.push(("_".to_owned(), inside(case.else_clause().and_then(|other| other.statements()))?));
        if arms.iter().all(|(_, answer)| answer == query.nothing()) {
            return Some(query.nothing().to_owned());
        }
        let arms: Vec<String> = arms.iter().map(|(patterns, answer)| format!("{patterns} => {answer}")).collect();
        Some(format!("match {} {{\n{}\n}}", self.single(&case.predicate()?).ok()?, arms.join("\n")))
    }

    /// Translates what a branch depends on.
    fn test_of(&self, node: &Node<'_>) -> Option<String> {
        let code = self.single(node).ok()?;
        Some(if self.known_code(node).is_some() { operand(&code) } else { code })
    }

    /// Returns the answers of one directive.
    fn answer(&self, call: &CallNode<'_>, query: BranchQuery<'_>) -> Option<Vec<String>> {
        let (plain, named) = ruby::arguments(call.arguments());
        let method = name(&call.name());
        if let Some(of) = call.receiver() {
            let logs = matches!(method.as_str(), "debug" | "info" | "notice" | "warning" | "err" | "deprecation_warning");
            return (logs && ruby::constant(&of).as_deref() == Some("Puppet")).then(Vec::new);
        }
        let is_feature = matches!(query, BranchQuery::Feature(_));
        Some(match (method.as_str(), query) {
            ("optional_commands", _) => Vec::new(),
            ("has_feature" | "has_features", _) => {
                let features = feature_names(&plain)?;
                let is_it = matches!(query, BranchQuery::Feature(of) if features.iter().any(|f| f == of));
                if is_it { vec!["true".to_owned()] } else { Vec::new() }
            }
            ("commands" | "confine", _) if !plain.is_empty() || named.is_empty() => return None,
            ("commands" | "confine", _) if is_feature => Vec::new(),
            ("commands", _) => {
                let programs = named.iter().map(|(_, program)| self.single(program).ok().map(|p| which(&p)));
                programs.collect::<Option<Vec<_>>>()?
            }
            ("confine", _) => {
                let word = |key: &Node<'_>| ruby::symbol(key).or_else(|| ruby::text(key));
                named.iter().map(|(key, value)| self.test(&word(key)?, value)).collect::<Option<Vec<_>>>()?
            }
            ("has_command", _) => {
                let inner = ruby::block(call).map(|b| ruby::statements(b.body())).unwrap_or_default();
                let is_optional = inner.iter().filter_map(Node::as_call_node).any(|c| name(&c.name()) == "is_optional");
                let [_, program] = plain.as_slice() else { return None };
                let program = quote(&ruby::text(program)?);
                if is_feature || is_optional { Vec::new() } else { vec![format!("which({program})")] }
            }
            _ => return None,
        })
    }
}

/// Returns an answer as an operand of `&&` and `||`.
fn compound(answer: &str) -> String {
    let is_compound = [" || ", " ? ", "\n"].iter().any(|mark| answer.contains(mark));
    if is_compound { format!("({answer})") } else { answer.to_owned() }
}

/// Returns `if test { yes } else { no }`.
fn either(test: &str, yes: &str, no: &str) -> String {
    match (yes, no) {
        ("true", "false") => test.to_owned(),
        ("false", "true") => format!("!({test})"),
        _ if yes == no => yes.to_owned(),
        _ => match no.strip_prefix("if ") {
            Some(_) => format!("if {test} {{\n{yes}\n}} els{no}"),
            None => format!("if {test} {{\n{yes}\n}} else {{\n{no}\n}}"),
        },
    }
}

/// Returns the result of a test that is the same wherever the provider is loaded: of Puppet's version, and whether the class has one of
/// the directives.
pub(super) fn known_test(test: &Node<'_>) -> Option<bool> {
    let call = test.as_call_node()?;
    let given = ruby::arguments(call.arguments()).0;
    let [argument] = given.as_slice() else { return None };
    if name(&call.name()) == "respond_to?" && call.receiver().is_none_or(|of| of.as_self_node().is_some()) {
        return ruby::symbol(argument).filter(|word| DECIDING.contains(&word.as_str())).map(|_| true);
    }
    let (compared, limit) = compared_version(&call.receiver()?, argument)?;
    Some(match name(&call.name()).as_str() {
        "<" => compared < limit,
        "<=" => compared <= limit,
        ">" => compared > limit,
        ">=" => compared >= limit,
        _ => return None,
    })
}

/// Returns Puppet's version and what it is compared with in `Puppet::PUPPETVERSION.to_f < 3`, or 1, 0 or -1, and 0, in
/// `versioncmp(Puppet.version, '3.4') < 0`.
fn compared_version(of: &Node<'_>, limit: &Node<'_>) -> Option<(f64, f64)> {
    let limit: f64 = std::str::from_utf8(limit.location().as_slice()).ok()?.parse().ok()?;
    let call = of.as_call_node()?;
    if name(&call.name()) == "versioncmp" {
        let given = ruby::arguments(call.arguments()).0;
        let [one, other] = given.as_slice() else { return None };
        let version = |node: &Node<'_>| if is_version(node) { Some(PUPPET_VERSION.to_owned()) } else { ruby::text(node) };
        return Some((f64::from(rtype_lang::value::versioncmp(&version(one)?, &version(other)?) as i8), limit));
    }
    call.receiver().filter(is_version)?;
    let (major, rest) = PUPPET_VERSION.split_once('.')?;
    let text = match name(&call.name()).as_str() {
        "to_f" => format!("{major}.{}", rest.split('.').next()?),
        "to_i" => major.to_owned(),
        _ => return None,
    };
    Some((text.parse().ok()?, limit))
}

/// Recognizes `Puppet.version` and `Puppet::PUPPETVERSION`.
fn is_version(node: &Node<'_>) -> bool {
    let of_puppet = |c: &CallNode<'_>| c.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Puppet");
    ruby::constant(node).as_deref() == Some("Puppet::PUPPETVERSION")
        || node.as_call_node().is_some_and(|c| name(&c.name()) == "version" && of_puppet(&c))
}

/// Collects the features that branches claim.
#[derive(Default)]
struct Claims {
    found: Vec<String>,
    is_computed: bool,
}

impl Claims {
    /// Returns each feature once; `None` if some are computed or no words.
    fn features(self) -> Option<Vec<String>> {
        let mut all: Vec<String> = Vec::new();
        for feature in self.found {
            if !all.contains(&feature) {
                all.push(feature);
            }
        }
        (!self.is_computed && all.iter().all(|f| is_word(f))).then_some(all)
    }
}

impl<'p> Visit<'p> for Claims {
    fn visit_call_node(&mut self, node: &CallNode<'p>) {
        if node.receiver().is_none() && matches!(name(&node.name()).as_str(), "has_feature" | "has_features") {
            match feature_names(&ruby::arguments(node.arguments()).0) {
                Some(features) => self.found.extend(features),
                None => self.is_computed = true,
            }
        }
        ruby_prism::visit_call_node(self, node);
    }
}
