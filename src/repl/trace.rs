//! `:trace`: shows how rtype computed each value of a resource, and why the resource is in sync or not.

use rtype_engine::Inspected;
use rtype_lang::source::SourceMap;

/// Returns the trace of a resource.
pub(super) fn text(one: &Inspected, sources: &SourceMap) -> String {
    rtype_author::trace::trace(&one.instance, &one.verdict, is_absent(one), sources)
}

/// Returns whether the resource does not exist now.
fn is_absent(one: &Inspected) -> bool {
    let ensure = one.instance.type_def.id_of("ensure");
    ensure.is_some_and(|id| one.current.property(&one.instance, id).is_ok_and(|v| v.is_absent()))
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
