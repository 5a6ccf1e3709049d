//! Random resources of a type, as manifests.
//!
//! proptest's strategies are not used: the values that a type accepts are known only at run time, and proptest is a dependency of tests
//! only. Candidates that the type rejects are drawn again.

use rtype_lang::syntax::quote;
use rtype_lang::types::{ArrayMatching, AttributeDef, DeclaredKind, ProviderBody, ProviderDef, Role, TypeDef};
use rtype_lang::value::DataType;
use rtype_model::manifest::Declared;
use std::fmt::Write;

/// A random number generator (SplitMix64): the same seed gives the same resources on every machine.
pub struct Random(u64);

impl Random {
    /// Creates the generator of a case.
    pub fn new(seed: u64, case: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// A value of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleValue {
    /// A string, written in quotes.
    Text(String),
    /// A number.
    Number(i64),
    /// A list.
    List(Vec<SampleValue>),
}

impl SampleValue {
    fn manifest(&self) -> String {
        match self {
            SampleValue::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            SampleValue::Number(number) => number.to_string(),
            SampleValue::List(all) => format!("[{}]", all.iter().map(SampleValue::manifest).collect::<Vec<_>>().join(", ")),
        }
    }

    /// Returns the value as a literal for blocks.
    pub fn literal(&self) -> String {
        match self {
            SampleValue::Text(text) => quote(text),
            SampleValue::Number(number) => number.to_string(),
            SampleValue::List(all) => format!("[{}]", all.iter().map(SampleValue::literal).collect::<Vec<_>>().join(", ")),
        }
    }

    /// Returns simpler values, simplest first.
    pub fn simpler(&self) -> Vec<SampleValue> {
        match self {
            SampleValue::Text(text) => shorter(text).into_iter().map(SampleValue::Text).collect(),
            SampleValue::Number(0) => Vec::new(),
            SampleValue::Number(number) => vec![SampleValue::Number(0), SampleValue::Number(number / 2)],
            SampleValue::List(all) => {
                let without = (0..all.len()).filter(|_| all.len() > 1).map(|i| without(all, i)).map(SampleValue::List);
                let inside = all.iter().enumerate().flat_map(|(i, value)| {
                    value.simpler().into_iter().map(move |value| {
                        let mut all = all.clone();
                        all.iter_mut().skip(i).take(1).for_each(|old| *old = value.clone());
                        SampleValue::List(all)
                    })
                });
                without.chain(inside).collect()
            }
        }
    }
}

/// Returns a copy of a list without the element at an index.
pub fn without<T: Clone>(all: &[T], place: usize) -> Vec<T> {
    all.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, value)| value.clone()).collect()
}

/// Returns shorter strings: halves, then the string with one character removed, then plain letters.
fn shorter(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let half = letters.len() / 2;
    let mut all: Vec<String> = Vec::new();
    if letters.len() > 1 {
        all.push(letters.iter().take(half).collect());
        all.push(letters.iter().skip(half).collect());
        all.extend((0..letters.len()).map(|i| without(&letters, i).into_iter().collect()));
    }
    let plain = |i: usize| letters.iter().enumerate().map(|(at, c)| if at == i { 'a' } else { *c }).collect();
    all.extend((0..letters.len()).filter(|i| letters.get(*i).is_some_and(|c| !c.is_ascii_alphanumeric())).map(plain));
    all
}

/// A random resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The title.
    pub title: String,
    /// The attributes except `ensure` and `provider`.
    pub attributes: Vec<(String, SampleValue)>,
}

impl Sample {
    /// Returns the title as a literal for blocks.
    pub fn title_literal(&self) -> String {
        quote(&self.title)
    }

    /// Returns the declaration of the resource.
    pub fn manifest(&self, type_name: &str, ensure: Option<&str>, provider: Option<&str>) -> String {
        let mut text = format!("{type_name} {{ {}:", SampleValue::Text(self.title.clone()).manifest());
        let fixed = [("ensure", ensure), ("provider", provider)].into_iter().filter_map(|(name, value)| Some((name, value?.to_owned())));
        let given = self.attributes.iter().map(|(name, value)| (name.as_str(), value.manifest()));
        for (i, (name, value)) in fixed.chain(given).enumerate() {
            let _ = write!(text, "{} {name} => {value}", if i > 0 { "," } else { "" });
        }
        text + " }"
    }
}

const TITLES: &[&str] = &["example", "a", "x-1", "a.b", "a_b", "example.com", "a/b", "/srv/a", "a:b", "a b", "user@example.com", "10", "ä"];
const TEXTS: &[&str] = &[
    "a", "1", "0", "true", "absent", "undef", "a b", " a", "a ", "a:b", "a,b", "a;b", "a=b", "a = b", "#a", "a#b", "'a'", "\"a\"", "\"a",
    "a\\b", "a\tb", "[a]", "a|b", "a@b.c", "/a/b", "/a b", "ä", "🦀", "$a", "%a", "a\\", "-", "--a", "1.5", "a/b", "*",
];

/// Draws resources of a type.
pub struct Samples<'a> {
    type_def: &'a TypeDef,
    titles: Vec<String>,
    /// The values in the tests of the type, by attribute.
    known: Vec<(String, SampleValue)>,
}

impl<'a> Samples<'a> {
    /// Prepares to draw resources; `accepted` are resources of the type's tests.
    pub fn new(type_def: &'a TypeDef, accepted: &[Declared]) -> Samples<'a> {
        let mut titles: Vec<String> = TITLES.iter().map(|&t| t.to_owned()).collect();
        // Titles from tests are drawn as often as all other titles.
        let own: Vec<String> = accepted.iter().map(|d| d.title.to_string()).collect();
        titles.extend(own.iter().cycle().take(if own.is_empty() { 0 } else { TITLES.len().max(own.len()) }).cloned());
        let given = accepted.iter().flat_map(|d| &d.attributes);
        let text = |value: &rtype_lang::value::Value| value.as_text().map(|t| SampleValue::Text(t.to_owned()));
        let known = given.filter_map(|(name, given)| Some((name.to_string(), text(&given.value)?))).collect();
        Samples { type_def, titles, known }
    }

    /// Draws a title.
    pub fn title(&self, random: &mut Random) -> String {
        random.pick(&self.titles).cloned().unwrap_or_default()
    }

    /// Draws the attributes of a resource; most of them are set.
    pub fn attributes(&self, provider: &ProviderDef, random: &mut Random) -> Vec<(String, SampleValue)> {
        let lacks = |a: &AttributeDef| a.required_features.iter().any(|f| !provider.features.contains_key(f));
        // `target` selects the file.
        let is_drawn = |a: &&AttributeDef| {
            (a.role == Role::Property || a.required.is_some()) && !a.namevar && !matches!(a.name.as_str(), "ensure" | "provider" | "target")
        };
        let mut all = Vec::new();
        for attribute in self.type_def.attributes.iter().filter(is_drawn).filter(|a| a.readonly.is_none() && !lacks(a)) {
            let is_keyed = matches!(&provider.body, ProviderBody::Declared(d) if d.kind == DeclaredKind::Keyed(attribute.name.clone()));
            if (random.below(4) > 0 || attribute.required.is_some() || is_keyed)
                && let Some(value) = self.value(attribute, random)
            {
                all.push((attribute.name.to_string(), value));
            }
        }
        all
    }

    fn value(&self, attribute: &AttributeDef, random: &mut Random) -> Option<SampleValue> {
        if attribute.array_matching == ArrayMatching::All && random.below(4) > 0 {
            let count = 1 + random.below(3);
            return Some(SampleValue::List((0..count).filter_map(|_| self.element(attribute, random)).collect()));
        }
        self.element(attribute, random)
    }

    fn element(&self, attribute: &AttributeDef, random: &mut Random) -> Option<SampleValue> {
        let known: Vec<&SampleValue> = self.known.iter().filter(|(name, _)| *name == attribute.name.as_str()).map(|(_, v)| v).collect();
        let literals: Vec<&str> = attribute.values.literals().map(|l| l.as_str()).filter(|l| *l != "absent").collect();
        if !literals.is_empty() {
            return random.pick(&literals).map(|l| SampleValue::Text((*l).to_owned()));
        }
        if !known.is_empty() && random.below(2) == 0 {
            return random.pick(&known).map(|v| (*v).clone());
        }
        Some(match &attribute.data_type {
            Some(DataType::Integer(bounds)) => {
                let (low, high) = (bounds.min.unwrap_or(-1000), bounds.max.unwrap_or(100_000));
                let inside = i64::try_from(random.next() >> 1).unwrap_or(0).rem_euclid(high.saturating_sub(low).saturating_add(1).max(1));
                SampleValue::Number(random.pick(&[low, high, low.saturating_add(inside)]).copied().unwrap_or(low))
            }
            Some(DataType::AbsolutePath) => SampleValue::Text(format!("/{}", random.pick(TEXTS)?.trim_start_matches('/'))),
            Some(DataType::Format(format)) => SampleValue::Text((*random.pick(format.examples())?).to_owned()),
            Some(DataType::Boolean) => SampleValue::Text(["true", "false"].get(random.below(2)).map(|t| (*t).to_owned())?),
            _ => SampleValue::Text((*random.pick(TEXTS)?).to_owned()),
        })
    }
}
