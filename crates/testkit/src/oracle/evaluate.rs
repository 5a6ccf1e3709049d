//! Evaluates a case with rtype, and returns the result in the recorder's format (see the start of `oracle.rb`).

use super::codec::{CaseError, dump, load};
use super::world::{machine, map};
use rtype_author::testing::{Answers, reported};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::{Failure, FailureKind, QueryError};
use rtype_lang::library::{TypeSet, standard};
use rtype_lang::source::Span;
use rtype_lang::types::{
    ArrayMatching, AttrId, AttributeDef, CodeBlock, NativeKind, Op, RelationKind, Role, TypeCheck, TypeDef, ValueStep,
};
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::declare::{DeclareOptions, Declaring, KnownResources, Purpose, declare, generate};
use rtype_model::manifest::{Declarations, Declared, DeclaredValue};
use rtype_model::resource::{
    Backend, Catalog, Context, Instance, NoCatalog, Origin, PropertyReader, QueryContext, Status, Suitability, Verdict, call, compare_all,
    compare_one, has_feature, pre_run_checks, relations, survey, title, wanted_of,
};
use rtype_provider::NativeProviders;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Evaluates a case; `None` if the type does not exist.
pub fn evaluate(library: &mut TypeSet, case: &Json) -> Result<Option<Json>, CaseError> {
    let type_name = case["type"].as_str().unwrap_or_default().to_lowercase();
    let Some(type_def) = library.load(&type_name) else { return Ok(None) };
    let extras = case["catalog"].as_array().into_iter().flatten().map(declared).collect::<Result<Vec<_>, _>>()?;
    let main = declared(case)?;
    let machine = machine(case);
    let natives = NativeProviders::standard();

    let nothing = |_: &str| Value::sym("absent");
    let (none, ready) = (map(&Json::Null), map(&case["provider_stub"]));
    let unread = RubyProviders(Answers::new(&none, &nothing, &natives));
    let context =
        Context { world: &machine, catalog: &NoCatalog, backend: Some(&unread), strict: false, trace: false, offline: false, log: None };
    // The other resources must be valid. Duplicates are reported when declarations are read.
    let declared: Vec<ResourceRef> = extras.iter().chain([&main]).map(Declared::reference).collect();
    let twice = declared.iter().enumerate().any(|(i, one)| declared[..i].contains(one));
    let others = Declarations { resources: extras.clone(), ..Declarations::default() };
    let found = built(&others, library, context).diagnostics;
    // A resource with an unknown type only reserves a name.
    let counts = |d: &&Diagnostic| d.is_error() && d.code != Code::UnknownType;
    if let Some(error) = found.iter().filter(counts).find(|d| stage(d) != "finish") {
        return Ok(Some(json!({"ok": false, "stage": "resource", "message": error.message, "attribute": error.attribute()})));
    }
    if twice {
        return Ok(Some(json!({"ok": false, "stage": "resource", "message": "declared twice"})));
    }

    let is = current(case, &type_def)?;
    let read = |name: &str| is.iter().find(|(n, _)| n == name).map_or(Value::sym("absent"), |(_, v)| v.clone());
    let answers = RubyProviders(Answers::new(&ready, &read, &natives));
    let context = Context { backend: Some(&answers), ..context };
    let reference = main.reference();
    let all = Declarations { resources: extras.into_iter().chain([main.clone()]).collect(), ..Declarations::default() };
    let result = built(&all, library, context);
    // Errors in a single additional resource were reported above. Errors between resources are attributed to the last resource.
    if let Some(error) = result.diagnostics.iter().find(counts) {
        let mut rejected = rejected(error, &reference.to_string());
        // A check that is left in Ruby may reject the resource first.
        let has_left = |attribute: &&AttributeDef| {
            let steps = attribute.validate.steps.iter().chain(&attribute.munge.steps);
            steps.into_iter().any(|step| matches!(step, ValueStep::Code(code) if code.has_untranslated()))
        };
        let left = type_def.attributes.iter().filter(has_left).map(|attribute| attribute.name.to_string());
        rejected["unchecked"] = json!({"checks": left.collect::<Vec<_>>()});
        return Ok(Some(rejected));
    }
    let catalog = &result.catalog;
    let Some(instance) = catalog.get(type_def.name.as_str(), &main.title) else { return Err(CaseError::Lost) };
    let instance = &as_recorded(instance);
    // The recorder writes the string form of each value.
    let textless = instance.slots.iter().flat_map(|slot| slot.wanted().iter().chain([slot.seen()]).find_map(without_text));
    if let Some(message) = textless.into_iter().next() {
        return Ok(Some(json!({"ok": false, "stage": "finish", "message": message})));
    }
    let mut out = accepted(&type_def, instance, &main, &is, catalog, Context { catalog, ..context }, case);
    extras_of(&mut out, instance, catalog, library, context, case);
    Ok(Some(out))
}

/// Returns the reason why an object in a value has no string form.
fn without_text(value: &Value) -> Option<String> {
    match value.unwrapped() {
        Value::Array(all) => all.iter().find_map(without_text),
        Value::Object(object) => object.text.as_ref().err().map(ToString::to_string),
        _ => None,
    }
}

/// The answers given by the case. Answers from a provider's Ruby code are unknown.
struct RubyProviders<'a>(Answers<'a>);

impl Backend for RubyProviders<'_> {
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        self.0.query(asked, method, arguments).map_err(|error| match error {
            QueryError::NotInTest(_) if standard(asked.type_def.name.as_str()).is_none() => {
                let message = format!("only the provider in Ruby answers `{method}`");
                let failure = Failure { kind: FailureKind::Untranslated, ..Failure::new(Code::BlockFailed, Span::NONE, message) };
                QueryError::from(failure)
            }
            other => other,
        })
    }

    fn instances(&self, type_def: &TypeDef) -> Result<Value, QueryError> {
        self.0.instances(type_def)
    }
}

/// The recorder replaces a property's retrieved value with the state in the case, and does not reach `eval_generate`.
fn as_recorded(instance: &Instance) -> Instance {
    let mut type_def = TypeDef::clone(&instance.type_def);
    type_def.attributes.iter_mut().for_each(|a| a.retrieve = None);
    type_def.eval_generate = None;
    let mut instance = instance.clone();
    instance.type_def = Arc::new(type_def);
    instance
}

/// Adds the fields requested by the recorder: generated resources, and the results of the type's functions.
fn extras_of(out: &mut Json, instance: &Instance, catalog: &Catalog, library: &mut TypeSet, context: Context<'_>, case: &Json) {
    let mut failed = Vec::new();
    if case["generate"] == true {
        let mut whole = catalog.clone();
        whole.insert(Arc::new(instance.clone()));
        let own = Some(instance.reference());
        if generate(&mut whole, &|_| false, library, context).iter().any(Diagnostic::is_error) {
            failed.push(json!("generate"));
        }
        let made = whole.iter().filter(|i| i.generated_by() == own.as_ref());
        let context = Context { catalog: &whole, ..context };
        let nothing = |_: AttrId| -> Result<Value, QueryError> { Ok(Value::sym("absent")) };
        let made = made.map(|i| json!({"ref": i.reference().to_string(), "values": values(i, &nothing, context).0}));
        out["generated"] = made.collect();
        out["unchecked"]["generates"] = json!(instance.type_def.generate.as_ref().is_some_and(CodeBlock::has_untranslated));
    }
    let mut untranslated: Vec<&str> = Vec::new();
    for method in case["call"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        let answer = call(instance, method, Context { catalog: &KnownResources::new(catalog, library, None), ..context });
        out["calls"][method] = match answer {
            Some(Ok(value)) => dump(value.unwrapped()),
            answer => {
                // A method that the type file does not have is left in Ruby.
                untranslated.extend(answer.is_none().then_some(method));
                failed.push(json!(format!("call.{method}")));
                Json::Null
            }
        };
    }
    out["unchecked"]["calls"] = json!(untranslated);
    if let Some(errors) = out["errors"].as_array_mut() {
        errors.extend(failed);
    }
}

/// Returns the values of all set attributes, and the desired values of properties if a single value cannot represent them.
fn values(instance: &Instance, read: PropertyReader<'_>, context: Context<'_>) -> (Map<String, Json>, Map<String, Json>) {
    let (mut values, mut all_wanted) = (Map::new(), Map::new());
    for slot in instance.slots.iter() {
        let Some(attribute) = instance.type_def.attribute(slot.id) else { continue };
        let name = attribute.name.to_string();
        if attribute.role != Role::Property {
            values.insert(name, dump(slot.seen().unwrapped()));
            continue;
        }
        let Some(comparison) = compare_one(instance, slot.id, read, context) else { continue };
        let wanted = comparison.should.unwrapped();
        let value = match (&attribute.native, wanted) {
            // Puppet has already joined lists here. rtype only joins lists in messages.
            (Some(NativeKind::List { delimiter, .. }), Value::Array(all)) => {
                json!(all.iter().map(|v| v.to_text().to_string()).collect::<Vec<_>>().join(delimiter))
            }
            _ => dump(wanted),
        };
        let stored: Json = slot.wanted().iter().map(dump).collect();
        // In Puppet, lists and maps of pairs have a single value each.
        let whole = attribute.array_matching == ArrayMatching::All
            && !matches!(attribute.native, Some(NativeKind::List { .. } | NativeKind::KeyValue { .. }));
        let shown = if whole { value.clone() } else { json!([value]) };
        if stored != shown {
            all_wanted.insert(name.clone(), stored);
        }
        values.insert(name, value);
    }
    (values, all_wanted)
}

/// Builds the declared resources without generated resources, including the checks in Puppet's `finish`. The standard types perform these
/// checks in `pre_run_check`, which the recorder does not reach for other types.
fn built(declarations: &Declarations, library: &mut TypeSet, context: Context<'_>) -> Declaring {
    let mut result = declare(declarations, library, context, DeclareOptions::new(Purpose::Alone));
    let context = Context { catalog: &KnownResources::new(&result.catalog, library, None), ..context };
    let finished = result.catalog.iter().filter(|i| standard(i.type_def.name.as_str()).is_some());
    let found: Vec<Diagnostic> = finished.flat_map(|i| pre_run_checks(i, context)).collect();
    result.diagnostics.extend(found);
    result
}

fn rejected(error: &Diagnostic, reference: &str) -> Json {
    let attribute = error.attribute().filter(|_| error.message.starts_with(reference));
    json!({"ok": false, "stage": stage(error), "message": error.message, "attribute": attribute})
}

/// Returns the recorder's stage at which Puppet would have reported the error.
fn stage(error: &Diagnostic) -> &'static str {
    match error.code {
        Code::UnknownType => "load",
        Code::InvalidTitle => "resource",
        Code::DuplicateAlias => "resource",
        Code::DuplicateResource => "catalog",
        Code::UnknownReference | Code::PreRunCheck => "finish",
        _ => "new",
    }
}

fn declared(case: &Json) -> Result<Declared, CaseError> {
    let type_name = case["type"].as_str().unwrap_or_default().to_lowercase();
    let title = case["title"].as_str().unwrap_or_default();
    let sensitive: Vec<&str> = case["sensitive"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let params = case["params"].as_object().into_iter().flatten().filter(|(_, v)| !v.is_null());
    let attributes = params.map(|(name, json)| {
        let mut value = load(json)?;
        if sensitive.contains(&name.as_str()) {
            value = Value::Sensitive(Arc::new(value));
        }
        Ok((name.as_str().into(), DeclaredValue::new(value, Span::NONE, Span::NONE)))
    });
    Ok(Declared {
        type_name: type_name.as_str().into(),
        type_span: Span::NONE,
        title: title.into(),
        title_span: Span::NONE,
        is_title_computed: false,
        attributes: attributes.collect::<Result<_, CaseError>>()?,
        span: Span::NONE,
    })
}

/// Returns the current state given by the case.
fn current(case: &Json, type_def: &TypeDef) -> Result<Vec<(String, Value)>, CaseError> {
    let given = case["is"].as_object().into_iter().flatten();
    // Values marked as strings remain strings.
    let value = |name: &str, json: &Json| load(json).map(|v| if json.is_string() { reported(type_def, name, &v) } else { v });
    given.map(|(name, json)| Ok((name.clone(), value(name, json)?))).collect()
}

fn accepted(
    type_def: &TypeDef,
    instance: &Instance,
    main: &Declared,
    is: &[(String, Value)],
    catalog: &Catalog,
    context: Context<'_>,
    case: &Json,
) -> Json {
    let name_of = |id: AttrId| type_def.attribute(id).map(|a| a.name.to_string()).unwrap_or_default();
    let find = |name: &str| is.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let read = |id: AttrId| -> Result<Value, QueryError> { Ok(find(&name_of(id)).unwrap_or(Value::sym("absent"))) };
    // In the plan, the current `ensure` is equal to the desired `ensure` unless the case sets it.
    let settled = |id: AttrId| match (name_of(id).as_str(), find(&name_of(id))) {
        ("ensure", None) => Ok(Some(instance.get("ensure")).filter(|v| !v.is_nil()).unwrap_or(Value::sym("present"))),
        (_, found) => Ok(found.unwrap_or(Value::sym("absent"))),
    };
    let mut out = Map::new();
    let mut errors: Vec<String> = Vec::new();
    out.insert("ok".into(), json!(true));
    out.insert("ref".into(), json!(instance.label().to_string()));

    let mut identity: Vec<(String, Json)> =
        type_def.namevars.iter().zip(instance.identity()).map(|(id, v)| (name_of(*id), dump(v.unwrapped()))).collect();
    out.insert("namevars".into(), identity.iter().cloned().collect());
    // Puppet's key is sorted by name.
    identity.sort_by(|a, b| a.0.cmp(&b.0));
    out.insert("uniqueness_key".into(), identity.into_iter().map(|(_, v)| v).collect());

    let provider = instance.provider().and_then(|p| type_def.providers.get(p.as_str()));
    out.insert("provider".into(), json!(instance.provider().map(|p| p.as_str())));
    let features =
        |p| type_def.features.keys().filter(|f| has_feature(type_def, p, f, context.world)).map(|f| f.as_str()).collect::<Vec<_>>();
    let mut features = provider.map(features).unwrap_or_default();
    features.sort_unstable();
    out.insert("provider_features".into(), json!(features));
    let survey = survey(type_def, context.world);
    let suitable = survey.iter().any(|s| Some(&s.provider) == instance.provider() && s.is_suitable());
    out.insert("suitable".into(), json!(suitable || type_def.providers.is_empty()));

    let unread = |s: &Suitability| s.reasons.iter().any(|reason| reason.is_untranslated);
    let unread_provider = instance.provider().is_none() && survey.iter().any(unread);
    let (values, all_wanted) = values(instance, &read, context);
    out.insert("values".into(), Json::Object(values));
    out.insert("should".into(), Json::Object(all_wanted));
    // In the standard types, a `should` block does not change the stored values.
    let is_imported = standard(type_def.name.as_str()).is_none();
    let combined = instance.slots.iter().filter(|slot| is_imported && type_def.attribute(slot.id).is_some_and(|a| a.should.is_some()));
    out.insert("combined".into(), combined.map(|slot| name_of(slot.id)).collect());
    let named = |id: AttrId| main.attributes.keys().any(|name| type_def.id_declared_as(name) == Some(id));
    // `canonicalize` or the type's rules may replace values from the title.
    let from_title = title::parse(type_def, &main.title).unwrap_or_default();
    let titled =
        |slot: &rtype_model::resource::Slot| matches!(slot.origin, Origin::Title) || from_title.values.iter().any(|(id, _)| *id == slot.id);
    let given = |slot: &rtype_model::resource::Slot| titled(slot) || named(slot.id);
    out.insert("defaulted".into(), instance.slots.iter().filter(|s| !given(s)).map(|s| name_of(s.id)).collect());
    let removed = main.attributes.iter().filter(|(_, given)| type_def.canonicalize.is_some() && !given.value.is_nil());
    let removed = removed.filter_map(|(name, _)| type_def.id_declared_as(name)).filter(|id| instance.slot(*id).is_none());
    out.insert("ignored".into(), instance.ignored().iter().map(|i| i.id).chain(removed).map(name_of).collect());

    // Values that rtype cannot know because parts of the type are left in Ruby, and dependent fields.
    let unknown = instance.slots.iter().filter(|slot| slot.value.has_unknown()).map(|slot| name_of(slot.id));
    let named = instance.not_checked().iter().filter_map(|part| Some(part.attribute.as_ref()?.to_string()));
    let mut unchecked: Vec<String> = if instance.not_checked().is_empty() { Vec::new() } else { unknown.chain(named).collect() };
    let is_left = |code: &CodeBlock| match &code.inner.body.op {
        Op::Seq(all) => all.iter().any(|one| matches!(one.op, Op::Untranslated(_))),
        one => matches!(one, Op::Untranslated(_)),
    };
    // A `should` block left in Ruby only matters when the value is read.
    let has_left = |id: AttrId| {
        let should = type_def.attribute(id).and_then(|a| Some((a.name.as_str(), a.should.as_ref()?)));
        should.is_some_and(|(name, code)| is_left(code) || code.has_untranslated() && wanted_of(instance, name, context).has_unknown())
    };
    unchecked.extend(instance.slots.iter().filter(|slot| has_left(slot.id)).map(|slot| name_of(slot.id)));
    let whole = instance.not_checked().iter().any(|part| part.attribute.is_none());
    // It is also unknown which attributes have a value.
    let converts = type_def.canonicalize.is_some() && instance.slots.iter().any(|slot| slot.value.has_unknown());
    // A `finalize` block may have set other attributes if this block or another check on the whole resource is left in Ruby.
    let sets_any = |check: &TypeCheck| matches!(check, TypeCheck::Finalize(code) if whole || is_left(code));
    let converts = converts || type_def.checks.iter().any(sets_any);
    let (mut insync, mut messages, mut never_compared) = (Map::new(), Map::new(), Vec::new());
    for (name, _) in is {
        let Some(id) = type_def.id_of(name) else {
            insync.insert(name.clone(), Json::Null);
            continue;
        };
        // Puppet has no property for these attributes and never compares them, but the recorder does.
        let insync_block = type_def.attribute(id).and_then(|attribute| attribute.insync.as_ref());
        if insync_block.is_some_and(|block| matches!(block.inner.body.op, Op::Const(Value::Bool(true)))) {
            never_compared.push(name.clone());
        }
        let comparison = compare_one(instance, id, &read, context);
        let status = comparison.as_ref().filter(|c| !c.should.unwrapped().is_nil()).map(|c| &c.status);
        insync.insert(name.clone(), json!(status.and_then(Status::in_sync)));
        let unformatted = comparison.as_ref().and_then(|c| c.unformatted.as_ref());
        match (status, unformatted) {
            (Some(Status::OutOfSync(_)), Some(why)) if why.is_untranslated() => unchecked.push(name.clone()),
            // The message depends on a value left in Ruby.
            (Some(Status::OutOfSync(_)), Some(why)) if why.is_unknown() && !unchecked.is_empty() => unchecked.push(name.clone()),
            (Some(Status::OutOfSync(_)), Some(_)) => {
                messages.insert(name.clone(), Json::Null);
                errors.push(format!("change_messages.{name}"));
            }
            (Some(Status::OutOfSync(message)), None) => {
                messages.insert(name.clone(), json!(message));
            }
            (Some(Status::Untranslated(_)), _) => unchecked.push(name.clone()),
            (Some(Status::Failed(_) | Status::Unreadable(_)), _) => errors.push(format!("insync.{name}")),
            _ => {}
        }
    }
    out.insert("insync".into(), Json::Object(insync));
    out.insert("never_compared".into(), json!(never_compared));
    out.insert("plan".into(), json!(plan(&compare_all(instance, &settled, context), is, &messages)));
    out.insert("change_messages".into(), Json::Object(messages));

    let found = relations(instance, Some(&read), context);
    let own = instance.label().to_string();
    let mut edges = Vec::new();
    // In the recorder's catalog, a failing block removes all relations of the same kind.
    let mut without_edges = Vec::new();
    let mut unchecked_relations = Vec::new();
    for (kind, key) in [
        (RelationKind::Require, "autorequire"),
        (RelationKind::Before, "autobefore"),
        (RelationKind::Notify, "autonotify"),
        (RelationKind::Subscribe, "autosubscribe"),
    ] {
        let of_kind: Vec<_> = found.resolved.iter().filter(|r| r.kind == kind).collect();
        out.insert(key.into(), of_kind.iter().map(|r| r.target.to_string()).collect());
        if found.unresolved.iter().any(|u| u.kind == kind && u.is_untranslated) {
            unchecked_relations.push(key);
        }
        let unresolved = found.unresolved.iter().filter(|u| u.kind == kind).map(|u| format!("{key}.{}", u.target));
        errors.extend(unresolved);
        if found.unresolved.iter().any(|u| u.kind == kind) {
            without_edges.push(format!("edges.{key}"));
            continue;
        }
        let forward = matches!(kind, RelationKind::Before | RelationKind::Notify);
        for target in of_kind.iter().filter(|r| r.declared).map(|r| r.target.to_string()) {
            edges.push(if forward { [key.to_owned(), own.clone(), target] } else { [key.to_owned(), target, own.clone()] });
        }
    }
    for (name, forward) in [("require", false), ("subscribe", false), ("before", true), ("notify", true)] {
        let targets = instance.get(name);
        for target in targets.unwrapped().as_array().unwrap_or_default() {
            let Value::Resource(target) = target else { continue };
            let target = catalog.get(target.type_name.as_str(), &target.title).map_or(target.to_string(), |i| i.label().to_string());
            edges.push(if forward { ["explicit".into(), own.clone(), target] } else { ["explicit".into(), target, own.clone()] });
        }
    }
    if case["catalog"].is_array() {
        out.insert("edges".into(), json!(edges));
        errors.extend(without_edges);
    }
    // Relations refer to declared resources by title. The recorder has the names returned by the blocks.
    let named = catalog.iter().filter(|i| i.type_def.namevars.len() == 1).map(|i| {
        let by_name = ResourceRef { title: i.name(), ..i.reference() };
        (by_name.to_string(), json!(i.reference().to_string()))
    });
    out.insert("declared_as".into(), Json::Object(named.collect()));
    out.insert("errors".into(), json!(errors));
    out.insert(
        "unchecked".into(),
        json!({"attributes": unchecked, "relations": unchecked_relations, "whole": whole, "converts": whole && converts, "provider": unread_provider}),
    );
    Json::Object(out)
}

/// Returns the planned changes to properties that the case sets.
fn plan(verdict: &Verdict, is: &[(String, Value)], stale: &Map<String, Json>) -> Vec<String> {
    if !is.iter().any(|(name, _)| name == "ensure") {
        // `ensure` is unknown, so it does not affect the other properties.
        return verdict.properties.iter().map(|c| c.name.to_string()).filter(|name| stale.contains_key(name)).collect();
    }
    let planned = verdict.plan();
    planned.iter().map(|c| c.name.to_string()).filter(|name| is.iter().any(|(n, _)| n == name)).collect()
}
