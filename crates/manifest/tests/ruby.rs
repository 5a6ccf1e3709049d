//! Functions and templates in Ruby.

use rtype_lang::source::SourceMap;
use rtype_manifest::compile::environment::Environment;
use rtype_manifest::compile::evaluator::ManifestEvaluator;
use rtype_manifest::compile::failure::EvaluationFailureKind;
use rtype_manifest::compile::files::{ModuleFiles, ReadFiles};
use rtype_manifest::compile::text::display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod fixture;

/// A module `m` with these files.
struct Module;

const FILES: &[(&str, &str)] = &[
    (
        "/m/m/lib/puppet/functions/m/twice.rb",
        "Puppet::Functions.create_function(:'m::twice') do\n  dispatch :twice do\n    param 'Integer', :n\n  end\n\n  def twice(n)\n    n * 2\n  end\nend\n",
    ),
    (
        "/m/m/lib/puppet/parser/functions/old.rb",
        "module Puppet::Parser::Functions\n  newfunction(:old, type: :rvalue, arity: 1) do |args|\n    raise Puppet::ParseError, 'bad' if args[0] == 'bad'\n    args[0].upcase\n  end\nend\n",
    ),
    ("/m/m/templates/a.erb", "<% [1, 2].each do |n| -%>\nn <%= n %>\n<% end -%>\n"),
    ("/m/m/templates/wrong.erb", "a\n<%= nil + 1 %>\n"),
];

impl ReadFiles for Module {
    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        FILES.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.as_bytes().to_vec())
    }

    fn is_directory(&self, path: &Path) -> bool {
        FILES.iter().any(|(name, _)| Path::new(name) != path && Path::new(name).starts_with(path))
    }

    fn is_file(&self, path: &Path) -> bool {
        FILES.iter().any(|(name, _)| Path::new(name) == path)
    }

    fn list(&self, path: &Path) -> Vec<PathBuf> {
        if path == Path::new("/m") { vec!["/m/m".into()] } else { Vec::new() }
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        (self.is_file(path) || self.is_directory(path)).then(|| path.to_owned())
    }
}

/// Returns the value of the last expression as text; or the kind of the failure with its message.
fn evaluate(code: &str) -> String {
    let mut files = ModuleFiles::new(Box::new(Module), None, vec!["/m".into()]);
    files.unread_facts.insert("of_module".into());
    let environment = Environment { lookup: None, ..fixture::environment(files) };
    let mut evaluator = ManifestEvaluator::new(Arc::new(environment), SourceMap::new());
    match evaluator.evaluate(vec![(String::new(), code.to_owned())]) {
        Ok(value) => display(&value),
        Err(failure) => match failure.kind() {
            EvaluationFailureKind::Unsupported => format!("unsupported: {}", failure.text()),
            EvaluationFailureKind::Limit => format!("limit: {}", failure.text()),
            _ => format!("error: {}", failure.text()),
        },
    }
}

/// The values are Puppet's.
#[test]
fn functions_and_templates_have_puppets_values() {
    for (code, expected) in [
        ("m::twice(4)", "8"),
        ("old('abc')", "ABC"),
        ("template('m/a.erb')", "n 1\nn 2\n"),
        ("$x = [1, undef]\ninline_template('<%= @x.inspect %> <%= @y.inspect %> <%= has_variable?(\"x\") %>')", "[1, nil] nil true"),
        ("inline_template('<%= 1 %>  <%- 2 -%>')", "1"),
        ("inline_template('<%= scope.call_function(\"m::twice\", [3]) %>')", "6"),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
}

#[test]
fn errors_name_template_and_line() {
    let text = evaluate("template('m/wrong.erb')");
    assert!(text.contains("Failed to parse template m/wrong.erb:\n  Filepath: /m/m/templates/wrong.erb\n  Line: 2\n  Detail: "), "{text}");
    assert!(evaluate("old('bad')").ends_with("Error while evaluating a Function Call, bad"));
}

#[test]
fn the_machine_cannot_be_reached_and_bombs_end() {
    for code in [
        "<%= ENV[\"PATH\"] %>",
        "<%= `id` %>",
        "<%= File.read(\"/etc/passwd\") %>",
        "<%= Time.now %>",
        "<%= rand %>",
        "<%= system(\"id\") %>",
    ] {
        let text = evaluate(&format!("inline_template('{code}')"));
        assert!(text.starts_with("unsupported: "), "{code}: {text}");
    }
    for code in ["<% loop {} %>", "<%= \"a\" * 10**9 %>", "<% x = []; loop { x << \"a\" * 1000 } %>", "<% def f; f; end; f %>"] {
        let text = evaluate(&format!("inline_template('{code}')"));
        assert!(text.starts_with("limit: "), "{code}: {text}");
    }
}

/// Puppet's values are objects of Ruby, so a change of a list is seen in all variables.
#[test]
fn lists_that_templates_change_are_changed_for_all_variables() {
    for (code, expected) in [
        ("$x = [2, 1]\ninline_template('<%= scope[\"x\"].sort %> <%= scope[\"x\"] %>')", "[1, 2] [2, 1]"),
        ("$x = [1]\n$y = $x\ninline_template('<% @x.push(2) %>')\n\"${x} ${y}\"", "[1, 2] [1, 2]"),
        ("$x = {a => 1}\ninline_template('<% @x.delete(\"a\") %>')\n$x", "{}"),
        ("$x = [3, 1]\ninline_template('<% @x.sort! %>')\n$x", "[1, 3]"),
    ] {
        assert_eq!(evaluate(code), expected, "{code}");
    }
    let refused = [
        // The string of the list may have other holders.
        "$x = ['a']\ninline_template('<% @x[0] << \"b\" %>')",
        "$x = 'a'\ninline_template('<% @x << \"b\" %>')",
        "$x = [1]\ninline_template('<% scope[\"x\"].push(2) %>')",
        "$x = 'a'\ninline_template('<% scope.lookupvar(\"x\") << \"b\" %>')",
        // The list is in another list.
        "$x = [1]\n$y = [$x]\ninline_template('<% @x.push(2) %>')",
    ];
    for code in refused {
        assert!(evaluate(code).starts_with("unsupported: "), "{code}");
    }
}

#[test]
fn facts_of_modules_that_are_not_known_are_refused() {
    for code in ["inline_template('<%= @facts[\"of_module\"] %>')", "$facts.each |$name, $value| { }", "old($facts)"] {
        assert!(evaluate(code).contains("unsupported: "), "{code}");
    }
    assert_eq!(evaluate("inline_template('<%= @facts[\"kernel\"] %>')"), "Linux");
}
