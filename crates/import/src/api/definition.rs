//! The definition that `register_type` gets.

use crate::puppet::DeclaredDirective;
use rtype_lang::syntax::ast::Expr;
use rtype_ruby::hir::{Element, ExprId, Hir, HirKind, Pair, RegexFlags, SourceRange};
use rtype_ruby::run::PlainValue;
use std::collections::BTreeMap;

/// Names that attributes cannot have.
const RESERVED: &[&str] = &[
    "title",
    "provider",
    "alias",
    "audit",
    "before",
    "consume",
    "export",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
];

/// The property that the library adds to a type without one, so that Puppet calls `insync?` of the provider.
const TRIGGER: &str = "rsapi_custom_insync_trigger";

/// How an attribute behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// A property.
    Property,
    /// A property that is set when the resource is created.
    InitOnly,
    /// An attribute that identifies the resource.
    Namevar,
    /// A parameter.
    Parameter,
    /// An attribute that cannot be declared.
    ReadOnly,
}

/// An attribute of the definition.
#[derive(Clone, Debug)]
pub(super) struct ApiAttribute {
    pub name: String,
    pub doc: String,
    /// The data type as written in Puppet.
    pub data_type: String,
    pub behaviour: Behaviour,
    pub default: Option<Expr>,
}

impl ApiAttribute {
    pub(super) fn is_property(&self) -> bool {
        matches!(self.behaviour, Behaviour::Property | Behaviour::InitOnly)
    }

    fn trigger() -> ApiAttribute {
        ApiAttribute {
            name: TRIGGER.to_owned(),
            doc: "Makes Puppet compare a resource without properties; not to be set.".to_owned(),
            data_type: "Enum[do_not_specify_in_manifest]".to_owned(),
            behaviour: Behaviour::Property,
            default: Some(crate::lower::build::string("do_not_specify_in_manifest")),
        }
    }
}

/// What a type declares.
pub(super) struct Definition {
    pub name: String,
    pub doc: Option<String>,
    pub features: Vec<String>,
    pub attributes: Vec<ApiAttribute>,
    /// The title patterns, if the definition has some; the inner value is none if they are not known.
    pub patterns: Option<TitlePatterns>,
    relations: Vec<(String, PlainValue)>,
}

/// The source and the flags of each title pattern; none if they are not known.
pub(super) type TitlePatterns = Option<Vec<(String, RegexFlags)>>;

type Pairs = [(PlainValue, PlainValue)];

/// Returns the value of a key. The library looks for symbols.
fn find<'p>(pairs: &'p Pairs, wanted: &str) -> Option<&'p PlainValue> {
    pairs.iter().rev().find(|(key, _)| matches!(key, PlainValue::Sym(name) if name == wanted)).map(|(_, value)| value)
}

fn is_given(value: Option<&PlainValue>) -> bool {
    value.is_some_and(|value| !matches!(value, PlainValue::Nil | PlainValue::Bool(false)))
}

impl Definition {
    /// Reads the definition.
    ///
    /// # Errors
    /// Returns why the library refuses the definition, or which part is not known.
    pub(super) fn read(call: &DeclaredDirective) -> Result<Definition, String> {
        let pairs = &call.options;
        if call.arguments.iter().any(|argument| matches!(argument, PlainValue::Unknown(_))) {
            return Err("the definition of the type is computed".to_owned());
        }
        let name = find(pairs, "name").ok_or("`name` is missing")?.word().ok_or("the name of the type is computed")?.to_owned();
        let attributes = match find(pairs, "attributes").ok_or("`attributes` is missing")? {
            PlainValue::Hash(attributes) => attributes,
            PlainValue::Unknown(why) => return Err(format!("the attributes of the type are computed ({why})")),
            _ => return Err("`attributes` must be a hash".to_owned()),
        };
        if is_given(find(pairs, "desc")) && find(pairs, "docs").is_some() {
            return Err("both `desc` and `docs` are given".to_owned());
        }
        let features = match find(pairs, "features") {
            None | Some(PlainValue::Nil) => Vec::new(),
            Some(PlainValue::Array(all)) => all.iter().filter_map(|feature| feature.word().map(str::to_owned)).collect(),
            Some(PlainValue::Unknown(why)) => return Err(format!("the features of the type are computed ({why})")),
            Some(_) => return Err("`features` must be an array".to_owned()),
        };
        let mut all = attributes.iter().map(|(name, options)| attribute(name, options)).collect::<Result<Vec<_>, _>>()?;
        if !all.iter().any(|attribute| attribute.behaviour == Behaviour::Namevar) {
            return Err("no attribute is a namevar, so that no resource can be created".to_owned());
        }
        let has_property = all.iter().any(|attribute| attribute.behaviour == Behaviour::Property);
        if features.iter().any(|feature| feature == "custom_insync") && !has_property {
            all.insert(0, ApiAttribute::trigger());
        }
        // Puppet puts `ensure` before all other properties.
        if let Some(at) = all.iter().position(|attribute| attribute.name == "ensure" && attribute.is_property())
            && let Some(first) = all.iter().position(ApiAttribute::is_property)
        {
            let ensure = all.remove(at);
            all.insert(first, ensure);
        }
        let relations = super::RELATIONS.iter().filter_map(|word| Some(((*word).to_owned(), find(pairs, word)?.clone()))).collect();
        let doc = find(pairs, "desc").or(find(pairs, "docs")).and_then(PlainValue::word).map(str::to_owned);
        Ok(Definition { name, doc, features, attributes: all, patterns: patterns(pairs)?, relations })
    }

    pub(super) fn has_feature(&self, name: &str) -> bool {
        self.features.iter().any(|feature| feature == name)
    }

    pub(super) fn has_attribute(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute.name == name)
    }

    pub(super) fn namevars(&self) -> Vec<&str> {
        let namevars = self.attributes.iter().filter(|attribute| attribute.behaviour == Behaviour::Namevar);
        namevars.map(|attribute| attribute.name.as_str()).collect()
    }

    /// Returns the types of a relation with the names of the resources; none if these are not known.
    pub(super) fn relation(&self, word: &str) -> Vec<(String, Option<Vec<String>>)> {
        let given = self.relations.iter().find(|(of, _)| of == word).map(|(_, value)| value);
        let Some(PlainValue::Hash(pairs)) = given else { return Vec::new() };
        let of = |(of, values): &(PlainValue, PlainValue)| Some((of.word()?.to_lowercase(), texts(values)));
        pairs.iter().filter_map(of).collect()
    }
}

/// Returns the texts of a list or of a single value.
fn texts(value: &PlainValue) -> Option<Vec<String>> {
    match value {
        PlainValue::Array(items) => items.iter().map(texts).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        PlainValue::Nil => Some(Vec::new()),
        other => other.word().map(|word| vec![word.to_owned()]),
    }
}

fn patterns(pairs: &Pairs) -> Result<Option<TitlePatterns>, String> {
    let all = match find(pairs, "title_patterns") {
        None => return Ok(None),
        Some(PlainValue::Array(all)) => all,
        Some(PlainValue::Unknown(_)) => return Ok(Some(None)),
        Some(_) => return Err("`title_patterns` must be an array".to_owned()),
    };
    let regex = |entry: &PlainValue| match entry {
        PlainValue::Hash(entry) => match find(entry, "pattern") {
            Some(PlainValue::Regex(source, flags)) => Some((source.to_string(), *flags)),
            _ => None,
        },
        _ => None,
    };
    Ok(Some(all.iter().map(regex).collect()))
}

fn attribute(name: &PlainValue, options: &PlainValue) -> Result<ApiAttribute, String> {
    let is_symbol = matches!(name, PlainValue::Sym(_));
    let name = name.word().ok_or("the name of an attribute is computed")?.to_owned();
    if is_symbol && RESERVED.contains(&name.as_str()) || name == TRIGGER {
        return Err(format!("no attribute can be called `{name}`"));
    }
    let options = match options {
        PlainValue::Hash(options) => options,
        PlainValue::Unknown(why) => return Err(format!("the options of `{name}` are computed ({why})")),
        _ => return Err(format!("the options of `{name}` must be a hash")),
    };
    let data_type = match find(options, "type") {
        Some(PlainValue::Str(text) | PlainValue::Sym(text)) => text.clone(),
        Some(_) => return Err(format!("the type of `{name}` is computed")),
        None => return Err(format!("`{name}` has no `type`")),
    };
    let (first, second) = (find(options, "behaviour"), find(options, "behavior"));
    if is_given(first) && is_given(second) {
        return Err(format!("`{name}` has both `behaviour` and `behavior`"));
    }
    let behaviour = match first.filter(|value| is_given(Some(value))).or(second) {
        None | Some(PlainValue::Nil | PlainValue::Bool(false)) => Behaviour::Property,
        Some(PlainValue::Sym(word)) => match word.as_str() {
            "namevar" => Behaviour::Namevar,
            "parameter" => Behaviour::Parameter,
            "read_only" => Behaviour::ReadOnly,
            "init_only" => Behaviour::InitOnly,
            _ => return Err(format!("`{word}` is not a behaviour")),
        },
        Some(_) => return Err(format!("the behaviour of `{name}` is computed")),
    };
    if name == "ensure" && !is_ensure(&data_type) {
        return Err("the type of `ensure` must be `Enum[present, absent]` or `Optional[Enum[present, absent]]`".to_owned());
    }
    let default = match find(options, "default") {
        None | Some(PlainValue::Nil) => None,
        Some(value) => Some(crate::lower::literal_of(value).ok_or_else(|| format!("the default of `{name}` is computed"))?),
    };
    let doc = find(options, "desc").and_then(PlainValue::word).unwrap_or_default().to_owned();
    Ok(ApiAttribute { name, doc, data_type, behaviour, default })
}

/// Returns whether the library accepts a data type of `ensure`: the words `present` and `absent`, and undef.
fn is_ensure(data_type: &str) -> bool {
    use super::data_type::TypePart;
    fn takes(part: &TypePart) -> bool {
        let TypePart::Type(name, args) = part else { return false };
        match (name.as_str(), args.as_slice()) {
            ("Enum", words) => {
                let mut words: Vec<&str> =
                    words.iter().filter_map(|w| if let TypePart::Text(w) = w { Some(w.as_str()) } else { None }).collect();
                words.sort_unstable();
                words == ["absent", "present"]
            }
            ("Optional", [inner]) => takes(inner),
            ("Variant", members) => {
                let mut members = members.iter().filter(|member| **member != TypePart::Type("Undef".to_owned(), Vec::new()));
                members.next().is_some_and(takes) && members.next().is_none()
            }
            _ => false,
        }
    }
    super::data_type::parse(data_type).is_some_and(|found| takes(&found))
}

/// Returns the names of the groups of a regex.
pub(super) fn groups(source: &str) -> Vec<String> {
    let names = crate::ruby::group_names(source).filter_map(|at| source.get(at..)?.split('>').next());
    names.map(str::to_owned).collect()
}

/// Returns the source of the attributes in a call, if the call lists them.
pub(super) fn origins(hir: &Hir, call: SourceRange) -> BTreeMap<String, SourceRange> {
    let mut all = BTreeMap::new();
    for (_, body) in hir.bodies.iter() {
        let entries = |id: ExprId| match body.kind(id) {
            HirKind::Hash(pairs) => pairs.as_slice(),
            _ => &[],
        };
        let calls = body.exprs.iter().filter(|(_, expr)| (expr.origin.start, expr.origin.end) == (call.start, call.end));
        let pairs = calls.filter_map(|(_, expr)| match &expr.kind {
            HirKind::Call(call) => Some(&call.args),
            _ => None,
        });
        let pairs = pairs.flat_map(|args| {
            let listed = args.positional.iter().filter_map(|arg| if let Element::Plain(id) = arg { Some(*id) } else { None });
            args.keywords.iter().chain(listed.flat_map(entries))
        });
        let is_attributes = |key: ExprId| matches!(body.kind(key), HirKind::Symbol(name) if &**name == "attributes");
        for pair in pairs {
            let Pair::Entry(key, value) = pair else { continue };
            for entry in entries(*value).iter().filter(|_| is_attributes(*key)) {
                let Pair::Entry(key, value) = entry else { continue };
                if let HirKind::Symbol(name) | HirKind::Str { text: name, .. } = body.kind(*key) {
                    let (from, to) = (body.expr(*key).origin, body.expr(*value).origin);
                    all.insert(name.to_string(), SourceRange { end: to.end, ..from });
                }
            }
        }
    }
    all
}
