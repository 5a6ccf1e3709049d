//! Methods that the type's blocks call and that none of its providers is known to have.

use super::provider::{ProvidedType, ProviderDraft};
use super::provider_body::CODE;
use super::ruby::is_word;
use super::type_decl::Fragment;

/// Words after `provider.` that are not methods of Ruby's providers.
const WORDS: &[&str] = &["name", "has?", "class", "nil?", "default_target", "resource"];

/// Declares them for all providers: a method may be defined by code that is not known here, for example by a class of another module. If
/// it is not defined at all, calling it fails, in Ruby too.
pub fn declare_missing(providers: &mut [ProviderDraft], owner: &ProvidedType<'_>) {
    let by_feature = |m: &String| owner.features.unwrap_or_default().iter().any(|(_, methods)| methods.contains(m));
    let is_code = |m: &str| CODE.contains(&m) && !matches!(m, "query" | "properties");
    let missing = |m: &&String| {
        let has = |p: &ProviderDraft| {
            let is_declared = |piece: &Fragment| {
                let mut words = piece.text.split([' ', ',', '[', ']']).filter(|w| !w.is_empty());
                match words.next() {
                    Some("queries" | "actions") => words.any(|w| w == m.as_str()),
                    word => word == Some(m.as_str()),
                }
            };
            p.piece.children.iter().any(is_declared)
        };
        is_word(m.trim_end_matches('?'))
            && !WORDS.contains(&m.as_str())
            && !is_code(m)
            && !owner.is_of_every_provider(m)
            && !by_feature(m)
            && !owner.attributes.contains(m)
            && !providers.iter().any(has)
    };
    let asked: Vec<String> = owner.calls.asked.iter().filter(missing).cloned().collect();
    let done: Vec<String> = owner.calls.acted.iter().filter(missing).filter(|m| !asked.contains(m)).cloned().collect();
    let (questions, deeds): (Vec<String>, Vec<String>) = done.into_iter().partition(|m| m.ends_with('?'));
    let queries: Vec<String> = asked.into_iter().chain(questions).collect();
    for provider in providers.iter_mut().filter(|p| p.parent.is_none()) {
        for (word, methods) in [("actions", &deeds), ("queries", &queries)] {
            if methods.is_empty() {
                continue;
            }
            let known = provider.piece.children.iter_mut().find(|c| c.text.starts_with(&format!("{word} [")));
            match known {
                Some(piece) => {
                    let before = piece.text.trim_end_matches(']').to_owned();
                    piece.text = format!("{before}, {}]", methods.join(", "));
                }
                None => {
                    let text = format!("{word} [{}]", methods.join(", "));
                    provider.piece.children.push(Fragment { text, ..Fragment::default() });
                }
            }
        }
    }
}
