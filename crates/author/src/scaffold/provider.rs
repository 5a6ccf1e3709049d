//! Providers of new and existing types.

use super::{Implementation, NewProvider, PropertyKind};
use std::fmt::Write;

impl NewProvider {
    /// Returns the item `provider`.
    pub(super) fn item(&self) -> String {
        let body = match self.implementation {
            Implementation::Records => self.records(),
            Implementation::Keyed => self.keyed(),
            Implementation::Commands => self.commands(),
            Implementation::Program => self.program(),
            Implementation::None => return String::new(),
        };
        format!("provider {}, for: {} {{\n{body}}}\n", self.name, self.type_name)
    }

    fn records(&self) -> String {
        let names: Vec<String> = self.properties.iter().map(|p| p.name.to_uppercase()).collect();
        let columns = [vec![self.namevar.to_uppercase()], names].concat().join(":");
        let mut parsed = format!("      {}: fields[0],\n", self.namevar);
        let mut printed = format!("      record[:{}],\n", self.namevar);
        for (i, property) in self.properties.iter().enumerate() {
            let (name, field) = (&property.name, format!("fields[{}]", i + 1));
            let (read, written) = match property.kind {
                PropertyKind::Integer => (format!("{field} && {field}.to_i"), format!("record[:{name}]")),
                PropertyKind::List => {
                    (format!("{field} && {field}.split(\",\")"), format!("record[:{name}] && record[:{name}].join(\",\")"))
                }
                _ => (field, format!("record[:{name}]")),
            };
            let _ = writeln!(parsed, "      {name}: {read},");
            let _ = writeln!(printed, "      {written},");
        }
        format!(
            "  desc \"Reads and writes lines `{columns}` in `/etc/{type_name}.conf`; other lines are kept.\"\n  records\n  \
             file_path \"/etc/{type_name}.conf\"\n\n  # An empty field is a property without a value.\n  parse {{ |line|\n    \
             return nil unless line =~ /\\A[^#:\\s][^:]*(:[^:]*){{{count}}}\\z/\n    \
             let fields = line.split(\":\", -1).map {{ |field| field unless field.empty? }}\n    {{\n{parsed}    }}\n  }}\n\n  \
             print {{ |record|\n    [\n{printed}    ].join(\":\")\n  }}\n",
            type_name = self.type_name,
            count = self.properties.len(),
        )
    }

    fn keyed(&self) -> String {
        let property = self.properties.first().map_or("value", |p| p.name.as_str());
        let (type_name, namevar) = (&self.type_name, &self.namevar);
        format!(
            "  desc \"Reads and writes `[SECTION]` and `SETTING = VALUE` in `/etc/{type_name}.conf`.\"\n  keyed {property}\n  \
             file_path \"/etc/{type_name}.conf\"\n  section {{ self.{namevar}.include?(\"/\") ? self.{namevar}.split(\"/\", 2).first : \"\" }}\n  \
             setting {{ self.{namevar}.split(\"/\", 2).last }}\n"
        )
    }

    fn commands(&self) -> String {
        let program = format!("{}ctl", self.type_name);
        let namevar = &self.namevar;
        let mut options = String::new();
        for property in &self.properties {
            let (name, option) = (&property.name, property.name.replace('_', "-"));
            let value = match property.kind {
                PropertyKind::List => format!("self.{name}.join(\",\")"),
                _ => format!("self.{name}.to_s"),
            };
            let _ = writeln!(options, "    options = options + [\"--{option}\", {value}] if self.set?(:{name})");
        }
        let command = |verb: &str| {
            format!("  to_{verb} {{\n    let options = []\n{options}    [\"{program}\", \"{verb}\", self.{namevar}] + options\n  }}\n\n")
        };
        format!(
            "  desc \"Runs `{program}`, which lists resources as JSON: `[{{\\\"{namevar}\\\": …}}]`.\"\n  commands {program}: \"{program}\"\n  \
             command_lines\n  to_list {{ [\"{program}\", \"list\"] }}\n  rows json\n\n{}{}  to_delete {{ [\"{program}\", \"delete\", self.{namevar}] }}\n",
            command("create"),
            command("update"),
        )
    }

    fn program(&self) -> String {
        format!(
            "  desc \"A Python program that stores `{}` resources in a JSON file.\"\n  program \"./{}.py\"\n",
            self.type_name, self.name
        )
    }

    /// Returns the program of the provider.
    pub(super) fn script(&self) -> String {
        include_str!("program.py")
            .replace("@type@", &self.type_name)
            .replace("@provider@", &self.name)
            .replace("@namevar@", &self.namevar)
            .replace("@properties@", &self.properties.iter().map(|p| format!("\"{}\"", p.name)).collect::<Vec<_>>().join(", "))
    }

    /// Returns the description of the program, which the program sends in response to `hello`.
    pub(super) fn hello(&self) -> String {
        let names: Vec<&str> = std::iter::once("ensure").chain(self.properties.iter().map(|p| p.name.as_str())).collect();
        let hello = serde_json::json!({
            "protocol": 1, "name": self.name, "version": "0.1.0", "type": self.type_name, "ops": ["get", "set"], "noop": "native",
            "batch": 100, "list": "cheap", "features": [], "attributes_read": names, "attributes_write": names,
            "needs": {"commands": [], "root": false, "os": []},
        });
        format!("{}\n", serde_json::to_string_pretty(&hello).unwrap_or_default())
    }
}
