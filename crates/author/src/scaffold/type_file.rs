//! The file of a new type: the type, its provider and tests.

use super::{Implementation, NewProvider, NewType};
use std::fmt::Write;

impl NewType {
    /// Returns the provider of the type.
    pub(super) fn provider(&self) -> NewProvider {
        let name = match self.implementation {
            Implementation::Records => "lines",
            Implementation::Keyed => "settings",
            Implementation::Commands => "commands",
            Implementation::Program | Implementation::None => "stored",
        };
        NewProvider {
            name: name.to_owned(),
            type_name: self.name.clone(),
            namevar: "name".to_owned(),
            properties: self.properties.clone(),
            implementation: self.implementation,
        }
    }

    /// Returns the content of the file with the provider.
    pub(super) fn text(&self, provider: &str) -> String {
        let properties: Vec<String> = self.properties.iter().map(super::NewProperty::directive).collect();
        let example: String = self.example().lines().map(|line| format!("    {line}\n")).collect();
        let name = &self.name;
        let mut text = format!(
            "type {name} {{\n  desc \"\"\"\n    Describe here what a `{name}` is.\n\n    ```puppet\n{example}    ```\n    \"\"\"\n\n  ensurable\n\n  \
             newparam name {{\n    isnamevar\n    desc \"The name of the resource.\"\n    matches /\\A{}\\z/, message: \"`#{{value}}` is not a \
             valid name\"\n  }}\n\n{}}}\n",
            self.name_pattern(),
            properties.join("\n"),
        );
        if !provider.is_empty() {
            let _ = write!(text, "\n{provider}");
        }
        text + &self.tests()
    }

    /// Returns the pattern of names; with `keyed`, the section goes before a slash.
    fn name_pattern(&self) -> &'static str {
        if self.implementation == Implementation::Keyed { r"[A-Za-z0-9._\/-]+" } else { r"[A-Za-z0-9._-]+" }
    }

    /// Returns an example resource.
    pub(super) fn example(&self) -> String {
        let width = self.properties.iter().map(|p| p.name.len()).chain([6]).max().unwrap_or(6);
        let mut text = format!("{} {{ 'example':\n  {:width$} => present,\n", self.name, "ensure");
        for property in &self.properties {
            let _ = writeln!(text, "  {:width$} => {},", property.name, property.declared());
        }
        text + "}\n"
    }

    /// Returns the test of a provider without code, which needs no machine.
    fn provider_test(&self, resource: &str) -> String {
        let program = format!("{}ctl", self.name);
        let (title, expected) = match self.implementation {
            Implementation::Records => {
                let fields: String = self.properties.iter().map(|p| format!(":{}", p.field())).collect();
                let values: String = self.properties.iter().map(|p| format!(", {}: {}", p.name, p.stored())).collect();
                let line = format!("\"example{fields}\"");
                let parsed = format!("{{name: \"example\"{values}}}");
                (
                    "lines are printed and parsed",
                    format!(
                        "provider.print == {line}\n  expect provider.parse({line}) == {parsed}\n  expect provider.parse(\"# comment\") == nil"
                    ),
                )
            }
            Implementation::Keyed => {
                ("a name without a slash has no section", "provider.section == \"\" && provider.setting == \"example\"".into())
            }
            Implementation::Commands => {
                let options: String =
                    self.properties.iter().map(|p| format!(", \"--{}\", \"{}\"", p.name.replace('_', "-"), p.field())).collect();
                let rows = "provider.rows(\"[{\\\"name\\\": \\\"example\\\"}]\") == [{\"name\" => \"example\"}]";
                let create = format!("provider.to_create == [\"{program}\", \"create\", \"example\"{options}]");
                let update = create.replace("create", "update");
                let delete = format!("provider.to_delete == [\"{program}\", \"delete\", \"example\"]");
                (
                    "commands and their output",
                    format!(
                        "{create}\n  expect {update}\n  expect {delete}\n  expect provider.to_list == [\"{program}\", \"list\"]\n  expect {rows}"
                    ),
                )
            }
            Implementation::Program | Implementation::None => return String::new(),
        };
        format!("\ntest \"{title}\" {{\n{resource}  expect {expected}\n}}\n")
    }

    fn tests(&self) -> String {
        let name = &self.name;
        let given: String = self.properties.iter().map(|p| format!(", {} => {}", p.name, p.declared())).collect();
        let values: String = self.properties.iter().map(|p| format!(" && self.{} == {}", p.name, p.canonical())).collect();
        let resource = format!("  {name} {{ 'example': ensure => present{given} }}\n");
        let mut text = format!("\ntest \"example: all properties\" {{\n{resource}  expect self.ensure == :present{values}\n}}\n");
        let state: String = self.properties.iter().map(|p| format!(", {}: {}", p.name, p.canonical())).collect();
        let _ = write!(
            text,
            "\ntest \"a resource in the desired state is in sync\" {{\n  is {{ ensure: :present{state} }}\n{resource}  expect plan == []\n}}\n",
        );
        for property in &self.properties {
            let (attribute, given, other, wrong) = (&property.name, property.declared(), property.other(), property.rejected());
            let _ = write!(
                text,
                "\ntest \"a different value of `{attribute}` is changed\" {{\n  is {{ {attribute}: {other} }}\n  {name} {{ 'example': {attribute} => \
                 {given} }}\n  expect plan == [:{attribute}]\n}}\n\ntest \"an invalid value of `{attribute}` is rejected\" {{\n  {name} {{ 'example': \
                 {attribute} => {wrong} }}\n  rejects {attribute}\n}}\n",
            );
        }
        text += &self.provider_test(&resource);
        let _ = write!(
            text,
            "\ntest \"an absent resource is removed\" {{\n  is {{ ensure: :present }}\n  {name} {{ 'example': ensure => absent }}\n  expect plan == \
             [:ensure]\n}}\n\ntest \"names have no blanks\" {{\n  {name} {{ 'two words': }}\n  rejects name, /is not a valid name/\n}}\n"
        );
        text
    }
}
