//! `:trace`: how each value of a resource came about, and why it is in sync or not.

use rtype_engine::Inspected;
use rtype_engine::report::one_line;
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::{AttributeDef, Compare, Role};
use rtype_model::resource::{Comparison, Origin, Status};
use std::fmt::Write;

/// Returns the trace of a resource. Steps of sensitive values are redacted where they are noted.
pub(super) fn text(one: &Inspected, sources: &SourceMap) -> String {
    let instance = &one.instance;
    let type_def = &instance.type_def;
    let mut out = String::new();
    let place = |span: Span| sources.locate(span).map(|p| format!("  ({p})")).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}{}", instance.reference(), place(instance.span));
    let _ = writeln!(out, "  type `{}`{}", type_def.name, place(type_def.span));
    for id in &type_def.order {
        let (Some(attribute), Some(slot)) = (type_def.attribute(*id), instance.slot(*id)) else { continue };
        // Every type has these; a default value says nothing about this resource.
        if attribute.role == Role::Metaparam && slot.origin == Origin::Default {
            continue;
        }
        let _ = writeln!(out, "  {}", attribute.name);
        for (_, step) in instance.trace().iter().filter(|(of, _)| of == id) {
            let _ = writeln!(out, "    {}{}", step.what, place(step.span));
        }
        if let Some(comparison) = one.verdict.properties.iter().find(|p| p.id == *id) {
            let not_there = attribute.name.as_str() != "ensure" && is_absent(one);
            why(&mut out, attribute, comparison, not_there, sources);
        }
    }
    for ignored in instance.ignored() {
        let Some(attribute) = type_def.attribute(ignored.id) else { continue };
        let missing: Vec<_> = ignored.missing.iter().map(|f| format!("`{f}`")).collect();
        let _ = writeln!(out, "  {}\n    no effect: the provider lacks {}{}", attribute.name, missing.join(" and "), place(attribute.span));
    }
    out
}

/// Returns whether the resource does not exist now.
fn is_absent(one: &Inspected) -> bool {
    let ensure = one.instance.type_def.id_of("ensure");
    ensure.is_some_and(|id| one.current.property(&one.instance, id).is_ok_and(|v| v.is_absent()))
}

fn why(out: &mut String, attribute: &AttributeDef, comparison: &Comparison, not_there: bool, sources: &SourceMap) {
    let is = match &comparison.is {
        Ok(value) => format!("is {}, should be {}", one_line(value), one_line(&comparison.should)),
        Err(_) => format!("should be {}", one_line(&comparison.should)),
    };
    let _ = match &comparison.status {
        Status::InSync if not_there => writeln!(out, "    in sync: the resource does not exist, and nothing says that it shall"),
        Status::InSync => writeln!(out, "    in sync: {is}; compared {}", how(attribute, sources)),
        Status::OutOfSync(message) => {
            writeln!(out, "    out of sync: {is}; compared {}\n    would say: {message}", how(attribute, sources))
        }
        Status::WithEnsure if not_there => writeln!(out, "    out of sync: the resource does not exist, this is set when it is created"),
        Status::WithEnsure => writeln!(out, "    out of sync: this is gone when the resource is removed"),
        Status::Unreadable(why) => writeln!(out, "    unknown: {why}"),
        Status::Unknown => writeln!(out, "    unknown: a value is not available yet"),
        Status::Failed(why) => writeln!(out, "    unknown: comparing failed: {why}"),
    };
}

/// Which rule compares.
fn how(attribute: &AttributeDef, sources: &SourceMap) -> String {
    let place = |span: Span| sources.locate(span).map(|p| format!(" at {p}")).unwrap_or_default();
    match (&attribute.insync, &attribute.compare) {
        (Some(code), _) => format!("by its `insync` block{}", place(code.inner.span)),
        (None, Compare::Code(code)) if attribute.native.is_none() => format!("by its `compare` block{}", place(code.inner.span)),
        _ => match rtype_author::docs::comparison(attribute) {
            "exact" => "as they are".to_owned(),
            other => format!("as `{other}`"),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::repl::ReplSession;

    #[test]
    fn every_step_names_its_rule() {
        let mut backend = ReplSession::for_tests();
        backend.run("motd { 'a': ensure => present, colour => rot, level => '7' }\n:is { colour: green, level: 7 }");
        insta::assert_snapshot!(backend.run(":trace").plain(), @r#"
        Motd[a]  (<repl:1>:1:8)
          type `motd`  (tests/repl/types/motd.rtype:1:6)
          name
            "a", the title  (<repl:1>:1:8)
          ensure
            given as "present"  (<repl:1>:1:23)
            accepted: the value `present`  (tests/repl/types/motd.rtype:4:3)
            in sync: is present, should be present; compared as they are
          colour
            given as "rot"  (<repl:1>:1:42)
            accepted: `rot` is an alias of `red`  (tests/repl/types/motd.rtype:18:15)
            out of sync: is green, should be red; compared as they are
            would say: colour changed 'green' to 'red'
          level
            given as "7"  (<repl:1>:1:56)
            accepted: it matches `/\A\d+\z/`  (tests/repl/types/motd.rtype:30:15)
            munged to 7  (tests/repl/types/motd.rtype:31:11)
            in sync: is 7, should be 7; compared by its `insync` block at tests/repl/types/motd.rtype:32:12
        "#);
    }

    #[test]
    fn a_wrong_line_leaves_the_session_as_it_was() {
        let mut backend = ReplSession::for_tests();
        backend.run("motd { 'a': text => 'b' }");
        for wrong in ["motd { 'a': nonsense => 1 }", "motd {", ":is { nonsense: 1 }", ":load /nonexistent", "type x {", "}}}", ":is {"] {
            assert!(backend.run(wrong).failed(0), "{wrong}");
        }
        let answer = backend.run(":trace");
        assert!(answer.plain().contains("given as \"b\""), "{}", answer.plain());
        assert!(backend.run(":quit\n:help").quit);
    }
}
