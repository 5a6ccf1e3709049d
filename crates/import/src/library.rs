//! Translates calls of Ruby's and Puppet's modules, and format strings.

use super::block::*;
use super::kinds::Kind;
use super::known::StaticValue;
use super::puppet_objects::is_setting;
use super::ruby::{self, name};
use rtype_lang::syntax::{escape, quote};
use ruby_prism::{CallNode, Node};

/// Classes of URIs with their schemes.
const URI_CLASSES: &[(&str, &[&str])] = &[
    ("URI::HTTP", &["http", "https"]),
    ("URI::HTTPS", &["https"]),
    ("URI::FTP", &["ftp"]),
    ("URI::File", &["file"]),
    ("URI::LDAP", &["ldap", "ldaps"]),
    ("URI::LDAPS", &["ldaps"]),
    ("URI::MailTo", &["mailto"]),
];

impl BlockTranslator<'_> {
    /// Returns whether a node is a URI: what `URI.parse` returns, or a local with that.
    pub(super) fn is_uri(&self, node: &Node<'_>) -> bool {
        if let Some(local) = node.as_local_variable_read_node() {
            return self.own.uris.contains(&ruby::local(&local.name()));
        }
        if let Some(either) = node.as_rescue_modifier_node() {
            return self.is_uri(&either.expression()) && is_nothing(&either.rescue_expression());
        }
        let mut clause = node.as_begin_node().and_then(|begin| begin.rescue_clause());
        while let Some(rescue) = clause {
            if !ruby::statements(rescue.statements().map(|s| s.as_node())).last().is_none_or(is_nothing) {
                return false;
            }
            clause = rescue.subsequent();
        }
        let inner = match (node.as_parentheses_node(), node.as_begin_node()) {
            (Some(group), _) => ruby::statements(group.body()),
            (_, Some(begin)) => ruby::statements(begin.statements().map(|s| s.as_node())),
            _ => {
                let Some(call) = node.as_call_node() else { return false };
                return match call.receiver() {
                    Some(of) => name(&call.name()) == "parse" && ruby::constant(&of).as_deref() == Some("URI"),
                    None => name(&call.name()) == "URI" && call.arguments().is_some(),
                };
            }
        };
        inner.last().is_some_and(|last| self.is_uri(last))
    }

    /// Translates `uri.is_a?(URI::HTTP)`: the class of a URI depends on its scheme. What a `rescue` gives in place of one has none.
    pub(super) fn is_of_uri_class(&mut self, receiver: &Node<'_>, class: &Node<'_>) -> Text<Option<(String, u8)>> {
        let class = ruby::constant(class).unwrap_or_default();
        let Some((_, schemes)) = URI_CLASSES.iter().find(|(of, _)| *of == class).filter(|_| self.is_uri(receiver)) else { return Ok(None) };
        let of = self.expr(receiver, OPERAND)?;
        let schemes: Vec<String> = schemes.iter().map(|scheme| quote(scheme)).collect();
        Ok(Some((format!("({of}.is_a?(String) && [{}].include?({of}.scheme.to_s.downcase))", schemes.join(", ")), OPERAND)))
    }

    /// Translates a call of a module of Ruby or Puppet.
    pub(super) fn module_call(&mut self, call: &CallNode<'_>, module: &str, method: &str, plain: &[Node<'_>]) -> Text<(String, u8)> {
        let node = call.as_node();
        let alias = self.methods.and_then(|methods| methods.constant_alias(module));
        let module = alias.as_deref().unwrap_or(module);
        let unknown = || no(&node, format!("`{module}.{method}` is not supported"));
        if let Some(receiver) = call.receiver()
            && let Some(function) = (self.function_of)(&Caller::Module(&ruby::place(&receiver)), method)
        {
            let rest = self.call_rest(call)?;
            return Ok((format!("{function}{}", if rest.is_empty() { "()" } else { &rest }), OPERAND));
        }
        // `permitted_classes` and `aliases` only add to what can be parsed; other options change the result.
        let named = ruby::arguments(call.arguments()).1;
        let is_allowed = |(key, _): &(Node<'_>, Node<'_>)| {
            module == "YAML" && matches!(ruby::symbol(key).as_deref(), Some("permitted_classes" | "aliases"))
        };
        if !named.iter().all(is_allowed) {
            return no(&node, format!("named arguments of `{module}.{method}` are not supported"));
        }
        if method == "new" && plain.is_empty() && call.block().is_none() && matches!(module, "Hash" | "Array" | "String") {
            let empty = match module {
                "Hash" => "({})",
                "Array" => "[]",
                _ => "\"\"",
            };
            return Ok((empty.to_owned(), OPERAND));
        }
        if (module, method) == ("Puppet::Util::Platform", "windows?") {
            return Ok(("feature(\"microsoft_windows\")".into(), OPERAND));
        }
        if (module, method) == ("Puppet::Type", "metaparams") && plain.is_empty() {
            return Ok(("metaparams().keys".into(), OPERAND));
        }
        if (module, method) == ("URI::Generic", "new")
            && let Some(text) = self.uri_with_userinfo(plain)?
        {
            return Ok((text, OPERAND));
        }
        // Ruby refuses a negative number.
        let is_count = |node: &Node<'_>| {
            node.as_integer_node().is_some()
                || node.as_call_node().is_some_and(|c| matches!(name(&c.name()).as_str(), "size" | "length" | "count"))
        };
        if let ("Array", "new", [count, rest @ ..]) = (module, method, plain)
            && is_count(count)
            && !self.slice(count).starts_with('-')
        {
            let places = format!("0.upto({} - 1)", self.expr(count, ADD)?);
            return match (rest, ruby::block(call)) {
                ([], Some(closure)) => Ok((format!("{places}.map{}", self.closure_rest(call, &closure)?), OPERAND)),
                ([value], None) => {
                    let place = self.unused("place");
                    Ok((format!("{places}.map {{ |{place}| {} }}", self.expr(value, TERNARY)?), OPERAND))
                }
                _ => unknown(),
            };
        }
        let [first, rest @ ..] = plain else { return unknown() };
        let word = ruby::symbol(first).or_else(|| ruby::text(first));
        let text = match (module, method, rest) {
            ("Puppet::Coercion", "boolean", []) => {
                let arms = "\"true\" | \"yes\" => true\n\"false\" | \"no\" => false\n_ => fail(\"expected a boolean value\")";
                format!("{}.to_s.downcase.then {{ |word| match word {{\n{arms}\n}} }}", self.expr(first, OPERAND)?)
            }
            ("Facter", "value" | "[]", []) => match word {
                Some(fact) if method == "value" => format!("fact({})", quote(&fact)),
                None if method == "value" => format!("fact({})", self.expr(first, TERNARY)?),
                _ => return unknown(),
            },
            ("ENV", "[]", []) => format!("env({})", self.expr(first, TERNARY)?),
            ("ENV", "fetch", [default]) => {
                // A variable that exists is a text, which is true.
                return Ok((format!("env({}) || {}", self.expr(first, TERNARY)?, self.expr(default, OR)?), OR));
            }
            ("ENV", "fetch", []) => {
                let variable = self.expr(first, TERNARY)?;
                return Ok((format!("env({variable}) || fail(\"key not found: #{{{variable}.inspect}}\")"), OR));
            }
            ("ENV", "key?" | "has_key?" | "include?" | "member?", []) => format!("!env({}).nil?", self.expr(first, TERNARY)?),
            ("Puppet", "[]", []) => match word {
                Some(setting) if is_setting(&setting) => format!("setting({})", quote(&setting)),
                Some(setting) => return no(&node, format!("the setting `{setting}` of Puppet is not supported")),
                None => return unknown(),
            },
            ("Puppet", "debug" | "info" | "notice" | "warning" | "err", []) => format!("{method}({})", self.expr(first, TERNARY)?),
            ("Puppet::Util::Warnings", "debug_once" | "notice_once" | "warnonce", []) => {
                let level = if method == "warnonce" { "warning" } else { method.trim_end_matches("_once") };
                format!("{level}({})", self.expr(first, TERNARY)?)
            }
            ("Puppet", "deprecation_warning", _) => format!("deprecated({})", self.expr(first, TERNARY)?),
            // There is no such public method; it fails in Puppet, too.
            ("Puppet", "warn", []) => "fail(\"private method `warn' called for Puppet:Module\")".into(),
            ("Puppet::Util::Package", "versioncmp", [second]) => {
                format!("versioncmp({}, {})", self.expr(first, TERNARY)?, self.expr(second, TERNARY)?)
            }
            ("Puppet::Util", "absolute_path?", []) => format!("{}.absolute?", self.expr(first, OPERAND)?),
            ("Puppet::Util", "absolute_path?", [platform]) => {
                let path = self.expr(first, OPERAND)?;
                match ruby::symbol(platform).as_deref() {
                    Some("posix") => format!("{path}.absolute?"),
                    Some("windows") => return Ok((format!("{path} =~ {WINDOWS_PATH}"), COMPARE)),
                    _ => return unknown(),
                }
            }
            ("File", "basename", [suffix]) => format!("{}.basename({})", self.expr(first, OPERAND)?, self.expr(suffix, TERNARY)?),
            ("File", "basename" | "dirname" | "extname", []) => format!("{}.{method}", self.expr(first, OPERAND)?),
            ("File", "expand_path", []) => format!("{}.expand", self.expr(first, OPERAND)?),
            ("File", "expand_path", [from]) => format!("{}.expand({})", self.expr(first, OPERAND)?, self.expr(from, TERNARY)?),
            ("Puppet::Util" | "Facter::Core::Execution" | "Facter::Util::Resolution", "which", []) => {
                format!("which({})", self.expr(first, TERNARY)?)
            }
            ("File" | "Puppet::FileSystem", "exist?" | "exists?", []) => format!("exists({})", self.expr(first, TERNARY)?),
            ("File", "join", _) => {
                let parts: Text<Vec<String>> = plain.iter().map(|part| self.expr(part, TERNARY)).collect();
                format!("join_paths({})", parts?.join(", "))
            }
            // Only whether it is a pattern matters.
            ("Regexp", "new", []) if self.own.checks || self.is_tested(&node) => format!("re({})", self.expr(first, TERNARY)?),
            ("Regexp", "new", []) => self.made_pattern(first)?,
            ("Regexp", "escape" | "quote", []) => format!("re_escape({})", self.expr(first, TERNARY)?),
            ("Base64", "strict_encode64", []) => format!("base64({})", self.expr(first, TERNARY)?),
            ("CGI", "escape", []) => percent_encoded(&self.expr(first, OPERAND)?, " a-zA-Z0-9_.\\-~"),
            ("URI", "encode_www_form_component", []) => {
                percent_encoded(&format!("{}.to_s", self.expr(first, OPERAND)?), " *a-zA-Z0-9_.\\-")
            }
            ("CGI", "escapeHTML" | "escape_html", []) | ("ERB::Util", "html_escape" | "h", []) => {
                let entities = r##"{"'" => "&#39;", "&" => "&amp;", "\"" => "&quot;", "<" => "&lt;", ">" => "&gt;"}"##;
                format!("{}.gsub(/['&\"<>]/) {{ |c| {entities}[c] }}", self.expr(first, OPERAND)?)
            }
            ("Regexp", "last_match", []) if first.as_integer_node().is_some() => format!("${}", self.slice(first)),
            ("Digest::MD5", "hexdigest", []) => format!("md5({})", self.expr(first, TERNARY)?),
            ("Digest::SHA1", "hexdigest", []) => format!("sha1({})", self.expr(first, TERNARY)?),
            ("Digest::SHA384", "hexdigest", []) => format!("sha384({})", self.expr(first, TERNARY)?),
            ("Digest::SHA512", "hexdigest", []) => format!("sha512({})", self.expr(first, TERNARY)?),
            ("OpenSSL::Digest::SHA256", "hexdigest", []) => format!("sha256({})", self.expr(first, TERNARY)?),
            ("OpenSSL::Digest::SHA1", "hexdigest", []) => format!("sha1({})", self.expr(first, TERNARY)?),
            ("OpenSSL::Digest::MD5", "hexdigest", []) => format!("md5({})", self.expr(first, TERNARY)?),
            ("Digest::SHA256", "hexdigest", []) => format!("sha256({})", self.expr(first, TERNARY)?),
            ("URI", "parse", []) => format!("uri({})", self.expr(first, TERNARY)?),
            ("IPAddr", "new", []) => format!("ip({})", self.expr(first, TERNARY)?),
            ("Puppet::Pops::Types::PSensitiveType::Sensitive", "new", []) => format!("sensitive({})", self.expr(first, TERNARY)?),
            ("Range", "new", [last]) => format!("range({}, {})", self.expr(first, TERNARY)?, self.expr(last, TERNARY)?),
            ("Hash", "[]", []) => {
                let of = self.expr(first, OPERAND)?;
                // A list of one element is a key without a value.
                let padded = ".map { |pair| pair.is_a?(Array) ? [pair[0], pair[1]] : pair }";
                format!("{of}{}.to_h", if self.kind(first) == Some(Kind::Map) || makes_pairs(first) { "" } else { padded })
            }
            // A deep copy: values of the language do not change.
            ("Marshal", "load", [])
                if let Some(dumped) = first.as_call_node().filter(|c| name(&c.name()) == "dump")
                    && dumped.receiver().as_ref().and_then(ruby::constant).as_deref() == Some("Marshal")
                    && let [copied] = ruby::arguments(dumped.arguments()).0.as_slice() =>
            {
                return self.deeper(&node, |block| block.any(copied));
            }
            ("JSON", "parse", []) => format!("parse_json({})", self.expr(first, TERNARY)?),
            ("JSON", "generate" | "dump", []) => format!("to_json({})", self.expr(first, TERNARY)?),
            ("JSON", "pretty_generate", []) => format!("to_json({}, true)", self.expr(first, TERNARY)?),
            ("YAML", "safe_load" | "load", []) => format!("parse_yaml({})", self.expr(first, TERNARY)?),
            ("YAML", "dump", []) => format!("to_yaml({})", self.expr(first, TERNARY)?),
            ("File", "split", []) => {
                let path = self.expr(first, OPERAND)?;
                format!("[{path}.dirname, {path}.basename]")
            }
            ("Shellwords", "join" | "shelljoin", []) => format!("{}.map {{ |x| x.shellescape }}.join(\" \")", self.expr(first, OPERAND)?),
            ("Socket", "getservbyname", _) => {
                let service = self.expr(first, TERNARY)?;
                let protocol = rest.first().map_or_else(|| Ok("\"tcp\"".to_owned()), |p| self.expr(p, TERNARY))?;
                let failure = format!("fail(\"no such service #{{{service}}}/#{{{protocol}}}\")");
                return Ok((format!("service_port({service}, {protocol}) || {failure}"), OR));
            }
            ("File" | "FileTest" | "Puppet::FileSystem", "directory?" | "file?" | "symlink?", []) | ("Dir", "exist?", []) => {
                let (kind, links) = match method {
                    "symlink?" => ("link", ""),
                    "exist?" => ("directory", ", links: :follow"),
                    other => (other.trim_end_matches('?'), ", links: :follow"),
                };
                let at = format!("path.start_with?(\"/\") && Array(files_below(path, {{depth: 0{links}}}))");
                format!("{}.then {{ |path| {at}.any? {{ |f| f[:type] == :{kind} }} }}", self.expr(first, OPERAND)?)
            }
            // A missing file is an error.
            ("File", "readlines", []) => {
                let path = self.expr(first, TERNARY)?;
                format!("(file_text({path}) || fail(\"No such file or directory @ rb_sysopen - #{{{path}}}\")).lines")
            }
            ("Shellwords", "escape", []) => format!("{}.shellescape", self.expr(first, OPERAND)?),
            _ => return unknown(),
        };
        Ok((text, OPERAND))
    }

    /// Translates `URI::Generic.new(uri.scheme, userinfo, uri.host, …)`: a URI with other userinfo. The port of such a URI is
    /// always written.
    fn uri_with_userinfo(&mut self, plain: &[Node<'_>]) -> Text<Option<String>> {
        const PARTS: &[&str] = &["scheme", "", "host", "port", "registry", "path", "opaque", "query", "fragment"];
        let Some(first) = plain.first().and_then(Node::as_call_node).and_then(|c| c.receiver()) else { return Ok(None) };
        let Some(uri) = first.as_local_variable_read_node().map(|l| ruby::local(&l.name())) else { return Ok(None) };
        let is_part = |(node, part): (&Node<'_>, &&str)| {
            part.is_empty()
                || node.as_call_node().is_some_and(|c| {
                    let of = c.receiver().and_then(|r| r.as_local_variable_read_node()).map(|l| ruby::local(&l.name()));
                    name(&c.name()) == **part && of.as_ref() == Some(&uri)
                })
        };
        let (Some(userinfo), true) = (plain.get(1), plain.len() == PARTS.len() && plain.iter().zip(PARTS).all(is_part)) else {
            return Ok(None);
        };
        let userinfo = self.expr(userinfo, TERNARY)?;
        let place = r"/\A([^\/?#]*\/\/(?:[^@\/?#]*@)?(?:\[[^\]]*\]|[^:\/?#]*))(?::\d*)?/";
        let with = format!("({userinfo}.nil? ? {uri} : {uri}.with_userinfo({userinfo}))");
        Ok(Some(format!("({uri}.port.nil? ? {with} : {with}.sub({place}, \"\\\\1:#{{{uri}.port}}\"))")))
    }

    /// Translates a search for `URI.regexp(%w[http https])`, in which everything except the scheme is optional.
    pub(super) fn schemes(&self, node: &Node<'_>) -> Option<String> {
        let call = node.as_call_node()?;
        match (call.receiver().as_ref().and_then(ruby::constant).as_deref(), name(&call.name()).as_str()) {
            (Some("URI"), "regexp" | "make_regexp") | (Some("URI::DEFAULT_PARSER"), "make_regexp") => {}
            _ => return None,
        }
        let (plain, _) = ruby::arguments(call.arguments());
        let [list] = plain.as_slice() else { return None };
        let words: Option<Vec<String>> = match list.as_array_node() {
            Some(list) => list.elements().iter().map(|e| ruby::text(&e)).collect(),
            None => match (ruby::text(list), (self.fold)(&ruby::place(list), &self.locals)) {
                (Some(text), _) => Some(vec![text]),
                (_, Some(StaticValue::List(items))) => items.iter().map(StaticValue::word).collect(),
                _ => None,
            },
        };
        let words = words.filter(|w| w.iter().all(|w| w.chars().all(|c| c.is_ascii_alphanumeric())))?;
        Some(format!("/(?:{}):/", words.join("|")))
    }

    /// Translates `format('%<name>d %{other}', name: e, other: f)`.
    pub(super) fn named_format(&mut self, format: &Node<'_>, pairs: &[(Node<'_>, Node<'_>)]) -> Text<Option<String>> {
        let Some(text) = ruby::text(format) else { return Ok(None) };
        let (mut out, mut values) = (String::new(), Vec::new());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            out.push('%');
            if let Some(after) = after.strip_prefix('%') {
                out.push('%');
                rest = after;
                continue;
            }
            let (key, kind, after) = match (after.strip_prefix('{'), after.strip_prefix('<')) {
                (Some(after), _) => {
                    let Some((key, after)) = after.split_once('}') else { return Ok(None) };
                    (key, "s", after)
                }
                (_, Some(after)) => {
                    let Some((key, after)) = after.split_once('>') else { return Ok(None) };
                    (key, "", after)
                }
                (None, None) => return Ok(None),
            };
            let Some((_, value)) = pairs.iter().find(|(k, _)| ruby::symbol(k).as_deref() == Some(key)) else {
                return no(format, format!("the format names `{key}`, which is not given"));
            };
            values.push(self.expr(value, TERNARY)?);
            out.push_str(kind);
            rest = after;
        }
        out.push_str(rest);
        let values: Vec<String> = std::iter::once(quote(&out)).chain(values).collect();
        Ok(Some(format!("format({})", values.join(", "))))
    }

    /// Translates `'… %{name} …' % { name: e }`.
    pub(super) fn filled(&mut self, format: &Node<'_>, values: &Node<'_>) -> Text<Option<String>> {
        let Some(pairs) = values.as_hash_node().and_then(|h| ruby::pairs(&h.elements())) else { return Ok(None) };
        self.filled_from(format, &pairs)
    }

    pub(super) fn filled_from(&mut self, format: &Node<'_>, pairs: &[(Node<'_>, Node<'_>)]) -> Text<Option<String>> {
        let Some(format_text) = ruby::text(format) else { return Ok(None) };
        let mut out = String::from("\"");
        let mut rest = format_text.as_str();
        while let Some((before, behind)) = rest.split_once("%{") {
            let Some((key, behind)) = behind.split_once('}') else { return no(format, "this format is not supported") };
            let Some((_, value)) = pairs.iter().find(|(k, _)| ruby::symbol(k).as_deref() == Some(key)) else {
                return no(format, format!("the format names `{key}`, which is not given"));
            };
            out.push_str(&escape(before));
            let shown = match self.class_of(value) {
                Some(of) => format!("type_of({})", self.expr(&of, TERNARY)?),
                None => self.expr(value, TERNARY)?,
            };
            out.push_str(&format!("#{{{shown}}}"));
            rest = behind;
        }
        if rest.replace("%%", "").contains('%') {
            return no(format, "this format is not supported");
        }
        out.push_str(&escape(&rest.replace("%%", "%")));
        out.push('"');
        Ok(Some(out))
    }
}

/// Pattern of what Puppet accepts as an absolute Windows path.
const WINDOWS_PATH: &str = r"/(?im:^)(?i:[A-Z]:[\\\/]|[\\\/][\\\/][^\\\/]+[\\\/][^\\\/]+|[\\\/][\\\/]\?[\\\/][^\\\/]+)/";

/// Encodes all but some letters of a text by their bytes, and spaces as `+`.
fn percent_encoded(text: &str, kept: &str) -> String {
    format!("{text}.gsub(/[^{kept}]/) {{ |c| c.bytes.map {{ |byte| format(\"%%%02X\", byte) }}.join }}.tr(\" \", \"+\")")
}

/// Returns whether a `rescue` gives nothing: an error, nil or false.
fn is_nothing(node: &Node<'_>) -> bool {
    let fails = node.as_call_node().is_some_and(|c| c.receiver().is_none() && matches!(name(&c.name()).as_str(), "raise" | "fail"));
    fails || node.as_nil_node().is_some() || node.as_false_node().is_some()
}

/// Returns whether an expression is a list of lists of two elements.
fn makes_pairs(node: &Node<'_>) -> bool {
    let is_pair = |n: &Node<'_>| n.as_array_node().is_some_and(|pair| pair.elements().iter().count() == 2 && !has_splat_element(&pair));
    if let Some(list) = node.as_array_node() {
        return list.elements().iter().all(|item| is_pair(&item));
    }
    let Some(call) = node.as_call_node() else { return false };
    let gives_pairs = matches!(name(&call.name()).as_str(), "zip" | "each_with_index");
    let closure = ruby::block(&call).filter(|_| matches!(name(&call.name()).as_str(), "map" | "collect" | "flat_map"));
    match closure {
        Some(closure) => ruby::statements(closure.body()).last().is_some_and(is_pair),
        None => gives_pairs,
    }
}

fn has_splat_element(list: &ruby_prism::ArrayNode<'_>) -> bool {
    list.elements().iter().any(|item| item.as_splat_node().is_some())
}
