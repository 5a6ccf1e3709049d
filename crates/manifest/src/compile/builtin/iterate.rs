//! Functions that call a lambda for each element.

use super::{argument, required};
use crate::compile::context::CallContext;
use crate::compile::evaluator::ManifestEvaluator;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::types::{Type, display::value_text, infer};
use crate::compile::value::{ManifestValue, Sequence, ValueMap};
use std::sync::Arc;

/// The four signatures of iterating functions.
macro_rules! over_all {
    ($name:literal, $function:ident) => {
        FunctionRow {
            name: $name,
            api: Api::Typed(&[
                Signature { parameters: "(Hash $hash, Callable[2, 2] &block)", body: $function },
                Signature { parameters: "(Hash $hash, Callable[1, 1] &block)", body: $function },
                Signature { parameters: "(Iterable $enumerable, Callable[2, 2] &block)", body: $function },
                Signature { parameters: "(Iterable $enumerable, Callable[1, 1] &block)", body: $function },
            ]),
        }
    };
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    over_all!("each", each),
    over_all!("map", map),
    over_all!("filter", filter),
    over_all!("any", any),
    over_all!("all", all),
    FunctionRow {
        name: "index",
        api: Api::Typed(&[
            Signature { parameters: "(Hash $hash, Callable[2, 2] &block)", body: index },
            Signature { parameters: "(Hash $hash, Callable[1, 1] &block)", body: index },
            Signature { parameters: "(Iterable $enumerable, Callable[2, 2] &block)", body: index },
            Signature { parameters: "(Iterable $enumerable, Callable[1, 1] &block)", body: index },
            Signature { parameters: "(String $str, Variant[String, Regexp] $match)", body: index_of_text },
            Signature { parameters: "(Iterable $enumerable, Any $match)", body: index_of },
        ]),
    },
    FunctionRow {
        name: "reduce",
        api: Api::Typed(&[
            Signature { parameters: "(Iterable $enumerable, Callable[2, 2] &block)", body: reduce },
            Signature { parameters: "(Iterable $enumerable, Any $memo, Callable[2, 2] &block)", body: reduce_from },
        ]),
    },
    FunctionRow {
        name: "slice",
        api: Api::Typed(&[
            Signature { parameters: "(Hash[Any, Any] $hash, Integer[1, default] $slice_size, Callable &block?)", body: slice },
            Signature { parameters: "(Iterable $enumerable, Integer[1, default] $slice_size, Callable &block?)", body: slice },
        ]),
    },
    FunctionRow {
        name: "reverse_each",
        api: Api::Typed(&[
            Signature { parameters: "(Iterable $iterable)", body: reverse_each },
            Signature { parameters: "(Iterable $iterable, Callable[1, 1] &block)", body: reverse_each },
        ]),
    },
    FunctionRow {
        name: "step",
        api: Api::Typed(&[
            Signature { parameters: "(Iterable $iterable, Integer[1] $step)", body: step },
            Signature { parameters: "(Iterable $iterable, Integer[1] $step, Callable[1, 1] &block)", body: step },
        ]),
    },
    FunctionRow {
        name: "tree_each",
        api: Api::Typed(&[
            Signature { parameters: "(Variant[Iterator, Array, Hash] $tree, Hash $options?, Callable[2, 2] &block)", body: tree_each },
            Signature { parameters: "(Variant[Iterator, Array, Hash] $tree, Hash $options?, Callable[1, 1] &block)", body: tree_each },
            Signature { parameters: "(Variant[Iterator, Array, Hash] $tree, Hash $options?)", body: tree_each },
        ]),
    },
    FunctionRow {
        name: "group_by",
        api: Api::Typed(&[
            Signature { parameters: "(Collection $collection, Callable[1, 1] &block)", body: group_by },
            Signature { parameters: "(Array $array, Callable[2, 2] &block)", body: group_by },
            Signature { parameters: "(Collection $collection, Callable[2, 2] &block)", body: group_by },
        ]),
    },
    FunctionRow {
        name: "partition",
        api: Api::Typed(&[
            Signature { parameters: "(Collection $collection, Callable[1, 1] &block)", body: partition },
            Signature { parameters: "(Array $array, Callable[2, 2] &block)", body: partition },
            Signature { parameters: "(Collection $collection, Callable[2, 2] &block)", body: partition },
        ]),
    },
];

/// The longest sequence that is made of a range or number.
const MAX_ELEMENTS: i64 = 5_000_000;

/// Returns the elements of something that can be iterated over.
///
/// # Errors
/// Returns an error if there are too many.
pub fn elements(evaluator: &mut ManifestEvaluator, value: &ManifestValue) -> Result<Vec<ManifestValue>, EvaluationFailure> {
    let range = |evaluator: &mut ManifestEvaluator, from: i64, to: i64| {
        let count = to.saturating_sub(from).saturating_add(1).max(0);
        if count > MAX_ELEMENTS {
            return Err(EvaluationFailure::limit(format!("the sequence has {count} elements")));
        }
        evaluator.spend(usize::try_from(count).unwrap_or(0))?;
        Ok((from..=to).map(ManifestValue::Integer).collect())
    };
    match value {
        ManifestValue::Array(elements) => Ok(elements.to_vec()),
        ManifestValue::Hash(map) => Ok(crate::compile::evaluator::pairs(map)),
        ManifestValue::String(text) => Ok(text.chars().map(|c| ManifestValue::string(c.to_string())).collect()),
        ManifestValue::Iterator(sequence) => Ok(sequence.elements.clone()),
        ManifestValue::Integer(count) => range(evaluator, 0, count - 1),
        ManifestValue::Type(of) => match of.resolved() {
            Type::Integer(bounds) => range(evaluator, bounds.from.unwrap_or(0), bounds.to.unwrap_or(-1)),
            Type::Enum(enumeration) => Ok(enumeration.values.iter().cloned().map(ManifestValue::String).collect()),
            _ => Ok(Vec::new()),
        },
        _ => Ok(Vec::new()),
    }
}

/// Calls the lambda for each element, with its key or index if the lambda has two parameters, until a function returns `false`. `break`
/// ends the iteration.
fn visit(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
    handle: &mut dyn FnMut(usize, &ManifestValue, ManifestValue) -> bool,
) -> Result<(), EvaluationFailure> {
    let block = required(block)?;
    let subject = argument(arguments, 0).clone();
    let takes_two = takes_two(block);
    for (index, element) in elements(context.evaluator, &subject)?.iter().enumerate() {
        let values = match (&subject, element, takes_two) {
            (ManifestValue::Hash(_), ManifestValue::Array(pair), true) => pair.to_vec(),
            (_, element, true) => vec![ManifestValue::Integer(i64::try_from(index).unwrap_or(i64::MAX)), element.clone()],
            (_, element, false) => vec![element.clone()],
        };
        match context.yield_to(block, values) {
            Ok(value) => {
                if !handle(index, element, value) {
                    return Ok(());
                }
            }
            Err(failure) if *failure.kind() == EvaluationFailureKind::Break => return Ok(()),
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

/// Returns `true` for lambdas that accept two arguments.
fn takes_two(block: &LambdaClosure) -> bool {
    let (least, most) = block.arity();
    least <= 2 && most.is_none_or(|most| most >= 2)
}

fn each(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    visit(context, arguments, block, &mut |_, _, _| true)?;
    Ok(argument(arguments, 0).clone())
}

fn map(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut mapped = Vec::new();
    visit(context, arguments, block, &mut |_, _, value| {
        mapped.push(value);
        true
    })?;
    Ok(ManifestValue::array(mapped))
}

fn filter(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut kept = Vec::new();
    visit(context, arguments, block, &mut |_, element, value| {
        if value.is_true() {
            kept.push(element.clone());
        }
        true
    })?;
    Ok(match argument(arguments, 0) {
        ManifestValue::Hash(_) => from_pairs(&kept),
        _ => ManifestValue::array(kept),
    })
}

fn from_pairs(pairs: &[ManifestValue]) -> ManifestValue {
    ManifestValue::hash(pairs.iter().filter_map(|pair| match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    }))
}

fn any(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut found = false;
    visit(context, arguments, block, &mut |_, _, value| {
        found = value.is_true();
        !found
    })?;
    Ok(ManifestValue::Boolean(found))
}

fn all(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut holds = true;
    visit(context, arguments, block, &mut |_, _, value| {
        holds = value.is_true();
        holds
    })?;
    Ok(ManifestValue::Boolean(holds))
}

fn index(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut found = ManifestValue::Undef;
    let is_hash = matches!(argument(arguments, 0), ManifestValue::Hash(_));
    visit(context, arguments, block, &mut |index, element, value| {
        if value.is_true() {
            found = match element.as_array() {
                Some([key, _]) if is_hash => key.clone(),
                _ => ManifestValue::Integer(i64::try_from(index).unwrap_or(i64::MAX)),
            };
        }
        !value.is_true()
    })?;
    Ok(found)
}

fn index_of_text(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    let at = match argument(arguments, 1) {
        ManifestValue::String(part) => text.find(part.as_str()),
        ManifestValue::Regexp(pattern) => pattern.regex.captures_at(text, 0).and_then(|groups| Some(groups.first()?.clone()?.start)),
        _ => None,
    };
    let characters = |at: usize| i64::try_from(text.get(..at).unwrap_or_default().chars().count()).unwrap_or(i64::MAX);
    Ok(at.map_or(ManifestValue::Undef, |at| ManifestValue::Integer(characters(at))))
}

fn index_of(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let wanted = argument(arguments, 1);
    let subject = argument(arguments, 0).clone();
    let equal = |value: &ManifestValue| crate::compile::evaluator::ruby_equal(value, wanted);
    if let ManifestValue::Hash(map) = &subject {
        return Ok(map.iter().find(|(_, value)| equal(value)).map_or(ManifestValue::Undef, |(key, _)| key.clone()));
    }
    let at = elements(context.evaluator, &subject)?.iter().position(equal);
    Ok(at.map_or(ManifestValue::Undef, |at| ManifestValue::Integer(i64::try_from(at).unwrap_or(i64::MAX))))
}

fn reduce(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let all = elements(context.evaluator, argument(arguments, 0))?;
    let mut rest = all.into_iter();
    let Some(first) = rest.next() else { return Ok(ManifestValue::Undef) };
    fold(context, rest, first, required(block)?)
}

fn reduce_from(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let all = elements(context.evaluator, argument(arguments, 0))?;
    fold(context, all.into_iter(), argument(arguments, 1).clone(), required(block)?)
}

fn fold(
    context: &mut CallContext<'_>,
    rest: impl Iterator<Item = ManifestValue>,
    first: ManifestValue,
    block: &Arc<LambdaClosure>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut memo = first;
    for element in rest {
        match context.yield_to(block, vec![memo.clone(), element]) {
            Ok(value) => memo = value,
            Err(failure) if *failure.kind() == EvaluationFailureKind::Break => return Ok(memo),
            Err(failure) => return Err(failure),
        }
    }
    Ok(memo)
}

fn slice(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let subject = argument(arguments, 0).clone();
    let ManifestValue::Integer(size) = argument(arguments, 1) else { return Ok(ManifestValue::Undef) };
    let size = usize::try_from(*size).unwrap_or(1).max(1);
    let all = elements(context.evaluator, &subject)?;
    let Some(block) = block else {
        return Ok(ManifestValue::array(all.chunks(size).map(|part| ManifestValue::array(part.to_vec())).collect()));
    };
    let (least, most) = block.arity();
    if least.max(most.unwrap_or(least)) > size && least > 1 {
        return Err(EvaluationFailure::new(format!(
            "slice(): block must define a single parameter, or {size} parameters, but has {least}"
        )));
    }
    for part in all.chunks(size) {
        let values = if most == Some(1) {
            vec![ManifestValue::array(part.to_vec())]
        } else {
            part.iter().cloned().chain(std::iter::repeat_n(ManifestValue::Undef, size - part.len())).collect()
        };
        match context.yield_to(block, values) {
            Err(failure) if *failure.kind() == EvaluationFailureKind::Break => break,
            Err(failure) => return Err(failure),
            Ok(_) => {}
        }
    }
    Ok(subject)
}

/// Returns the type of the elements of a value.
fn element_type(subject: &ManifestValue) -> Type {
    infer(subject).generalized().iterable_element().flatten().unwrap_or(Type::Any)
}

/// Returns an iterator; its text names the type of the elements.
fn sequence(subject: &ManifestValue, elements: Vec<ManifestValue>, kind: &str) -> ManifestValue {
    let element_type = match subject {
        ManifestValue::Iterator(sequence) => sequence.element_type.clone(),
        other => element_type(other),
    };
    let text = format!("Iterator[{element_type}]-Value");
    let _ = kind;
    ManifestValue::Iterator(Arc::new(Sequence { elements, element_type, text: text.into() }))
}

fn each_of(
    context: &mut CallContext<'_>,
    subject: &ManifestValue,
    all: Vec<ManifestValue>,
    block: Option<&Arc<LambdaClosure>>,
    kind: &str,
) -> Result<ManifestValue, EvaluationFailure> {
    let Some(block) = block else { return Ok(sequence(subject, all, kind)) };
    for element in all {
        match context.yield_to(block, vec![element]) {
            Err(failure) if *failure.kind() == EvaluationFailureKind::Break => break,
            Err(failure) => return Err(failure),
            Ok(_) => {}
        }
    }
    Ok(ManifestValue::Undef)
}

fn reverse_each(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let subject = argument(arguments, 0).clone();
    let mut all = elements(context.evaluator, &subject)?;
    all.reverse();
    each_of(context, &subject, all, block, "reverse")
}

fn step(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let subject = argument(arguments, 0).clone();
    let ManifestValue::Integer(size) = argument(arguments, 1) else { return Ok(ManifestValue::Undef) };
    let size = usize::try_from(*size).unwrap_or(usize::MAX).max(1);
    let all = elements(context.evaluator, &subject)?.into_iter().step_by(size).collect();
    each_of(context, &subject, all, block, "step")
}

/// How a tree is walked.
struct Walk {
    is_breadth_first: bool,
    includes_containers: bool,
    includes_values: bool,
    includes_root: bool,
    container: Option<Type>,
    /// Whether `container_type` is given.
    has_container: bool,
}

fn tree_each(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let subject = argument(arguments, 0).clone();
    let options = arguments.get(1).and_then(ManifestValue::as_map);
    let option = |name: &str| options.and_then(|map| map.get(&ManifestValue::string(name)));
    let flag = |name: &str| option(name).is_none_or(ManifestValue::is_true);
    let container = match option("container_type") {
        Some(ManifestValue::Type(of)) => Some((**of).clone()),
        _ => None,
    };
    let walk = Walk {
        is_breadth_first: option("order").and_then(ManifestValue::as_str) == Some("breadth_first"),
        includes_containers: flag("include_containers"),
        includes_values: flag("include_values"),
        includes_root: flag("include_root") && flag("include_containers"),
        has_container: container.is_some(),
        container,
    };
    if !walk.includes_containers && !walk.includes_values {
        return Err(EvaluationFailure::new("Options 'include_containers' and 'include_values' cannot both be false"));
    }
    let root = match &subject {
        ManifestValue::Iterator(sequence) => ManifestValue::array(sequence.elements.clone()),
        other => other.clone(),
    };
    let nodes = nodes_of(context, &root, &walk)?;
    let Some(block) = block else {
        let all = nodes.into_iter().map(|(path, value)| ManifestValue::array(vec![ManifestValue::array(path), value])).collect();
        let text = "Iterator[Tuple[Array[Scalar], Any]]-Value".into();
        let element_type = Type::parse("Tuple[Array[Scalar], Any]")?;
        return Ok(ManifestValue::Iterator(Arc::new(Sequence { elements: all, element_type, text })));
    };
    let takes_two = takes_two(block);
    for (path, value) in nodes {
        let path = ManifestValue::array(path);
        let values = if takes_two { vec![path, value] } else { vec![ManifestValue::array(vec![path, value])] };
        match context.yield_to(block, values) {
            Err(failure) if *failure.kind() == EvaluationFailureKind::Break => break,
            Err(failure) => return Err(failure),
            Ok(_) => {}
        }
    }
    Ok(subject)
}

/// Returns the values of a tree with their paths.
fn nodes_of(
    context: &mut CallContext<'_>,
    root: &ManifestValue,
    walk: &Walk,
) -> Result<Vec<(Vec<ManifestValue>, ManifestValue)>, EvaluationFailure> {
    let is_container = |value: &ManifestValue| match &walk.container {
        Some(of) if walk.has_container => of.is_instance(value) && matches!(value, ManifestValue::Array(_) | ManifestValue::Hash(_)),
        _ => matches!(value, ManifestValue::Array(_) | ManifestValue::Hash(_)),
    };
    let mut found = Vec::new();
    let mut open = std::collections::VecDeque::from([(Vec::new(), root.clone())]);
    while let Some((path, value)) = open.pop_front() {
        context.spend(1)?;
        let is_root = path.is_empty();
        let is_inner = is_container(&value);
        let is_included = match (is_root, is_inner) {
            (true, _) => walk.includes_root,
            (false, true) => walk.includes_containers,
            (false, false) => walk.includes_values,
        };
        if is_included {
            found.push((path.clone(), value.clone()));
        }
        if !is_inner {
            continue;
        }
        let children: Vec<(ManifestValue, ManifestValue)> = match &value {
            ManifestValue::Array(elements) => {
                (0_i64..).zip(elements.iter()).map(|(at, value)| (ManifestValue::Integer(at), value.clone())).collect()
            }
            ManifestValue::Hash(map) => map.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            _ => Vec::new(),
        };
        let children = children.into_iter().map(|(key, value)| (path.iter().cloned().chain([key]).collect::<Vec<_>>(), value));
        if walk.is_breadth_first {
            open.extend(children);
        } else {
            for child in children.rev() {
                open.push_front(child);
            }
        }
    }
    Ok(found)
}

fn group_by(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut groups: indexmap::IndexMap<ManifestValue, Vec<ManifestValue>> = indexmap::IndexMap::new();
    visit(context, arguments, block, &mut |_, element, value| {
        groups.entry(value).or_default().push(element.clone());
        true
    })?;
    let is_hash = matches!(argument(arguments, 0), ManifestValue::Hash(_));
    let _ = is_hash;
    Ok(ManifestValue::hash(groups.into_iter().map(|(key, values)| (key, ManifestValue::array(values)))))
}

fn partition(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    visit(context, arguments, block, &mut |_, element, value| {
        if value.is_true() {
            yes.push(element.clone())
        } else {
            no.push(element.clone())
        }
        true
    })?;
    let whole = |part: Vec<ManifestValue>| match argument(arguments, 0) {
        ManifestValue::Hash(_) => ManifestValue::Hash(Arc::new(part.iter().filter_map(pair).collect::<ValueMap>())),
        _ => ManifestValue::array(part),
    };
    let _ = value_text;
    Ok(ManifestValue::array(vec![whole(yes), whole(no)]))
}

fn pair(pair: &ManifestValue) -> Option<(ManifestValue, ManifestValue)> {
    match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    }
}
