//! Translates `canonicalize(context, resources)` of providers of Puppet's Resource API.

use super::block::*;
use super::context::AttributeContext;
use super::eval::{ClassId, RubyValue};
use super::ruby::{self, ByteRange, name};
use super::type_decl::{Fragment, Reader};
use ruby_prism::{CallNode, DefNode, Node};
use std::rc::Rc;

/// The provider of a type, as Puppet finds it on a host.
pub(super) enum ApiProvider {
    /// Its class.
    Loaded(ClassId),
    /// There are only providers for devices.
    OnlyDevices,
    /// No file of the module path defines it.
    Unknown,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Translates the method `canonicalize` of a provider to the directive of the type, located at `at`.
    pub(super) fn canonicalize(&mut self, class: ClassId, at: &ByteRange) -> Fragment {
        let (home, place) = (self.file, self.ready(at, "canonicalize", ""));
        let Some((def, file)) = self.loaded.object_method(class, "canonicalize") else {
            return self.left(at, "canonicalize", "the provider has no method `canonicalize` that is known here");
        };
        self.object = self.loaded.ruby.borrow_mut().object(class);
        self.go(file);
        let context =
            AttributeContext { outside: true, class: Some(class), is_module: true, is_object: true, ..AttributeContext::default() };
        let code = self.function_params(&def, false).and_then(|(names, _)| match names.as_slice() {
            [_, resources] => self.block(Some(&context), |block| block.canonicalize(resources, &def)),
            _ => Err(Untranslated { text: "parameters of variable number".into(), at: ruby::at(&def.location()) }),
        });
        self.go(home);
        let origin = ruby::at(&def.location());
        match code {
            Ok(None) => Fragment { blocks: 1, text: "# `canonicalize` of the provider changes nothing.".into(), ..place },
            Ok(Some(code)) => Fragment { at: origin, file, blocks: 1, text: format!("canonicalize {code}"), ..place },
            Err(why) => Fragment { at: origin, file, blocks: 1, residue: Some(why), ..place },
        }
    }

    /// Returns the value of an instance variable of the provider, if nothing changes it after the provider was created.
    pub(super) fn variable_of_object(&self, variable: &str) -> Option<RubyValue<'p>> {
        let RubyValue::Object(object) = self.object.as_ref()? else { return None };
        let value = object.variables.borrow().get(variable).cloned()?;
        self.loaded.is_set_once(self.file, variable).then_some(value)
    }
}

impl BlockTranslator<'_> {
    /// Translates the method's body to a block with the map of one resource; `None` if it returns its argument.
    fn canonicalize(&mut self, resources: &str, def: &Rc<DefNode<'_>>) -> Text<Option<String>> {
        let body = ruby::statements(def.body());
        let Some(last) = body.last() else { return Err(Untranslated { text: "it returns nothing".into(), at: ruby::at(&def.location()) }) };
        self.range = ruby::at(&def.location());
        let is_all = |node: &Node<'_>| node.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == resources);
        let returned = |node: &Node<'_>| {
            let values: Vec<Node<'_>> =
                node.as_return_node().and_then(|r| r.arguments()).map(|a| a.arguments().iter().collect()).unwrap_or_default();
            is_all(node) || values.first().is_some_and(is_all)
        };
        let (mut lines, mut map) = (Vec::new(), String::new());
        for (i, statement) in body.iter().enumerate() {
            let is_last = i + 1 == body.len();
            if is_last && returned(statement) {
                continue;
            }
            let Some(each) = each_of(statement, &is_all) else {
                if is_last {
                    return no(last, "what it returns is not understood");
                }
                lines.push(self.statement(statement, true, false)?);
                continue;
            };
            let closure = ruby::block(&each);
            let params = closure.as_ref().and_then(ruby::block_params).unwrap_or_default();
            let ([param], true) = (params.as_slice(), map.is_empty() || params.first() == Some(&map)) else {
                return no(statement, "loops over the resources of this form are not supported");
            };
            let rest = body.get(i + 1..).unwrap_or_default();
            let method = name(&each.name());
            let maps = matches!(method.as_str(), "map" | "collect" | "map!" | "collect!");
            if matches!(method.as_str(), "map" | "collect") && !rest.is_empty() {
                return no(statement, "the result of this loop is not used");
            }
            if map.is_empty() {
                map.clone_from(param);
                self.locals.push(param.clone());
            }
            self.result = rest.iter().all(returned).then(|| param.clone());
            let inner = ruby::statements(closure.and_then(|c| c.body()));
            for (j, one) in inner.iter().enumerate() {
                let is_map = one.as_local_variable_read_node().is_some_and(|l| ruby::local(&l.name()) == *param);
                match j + 1 == inner.len() && maps {
                    true if is_map => {}
                    true => lines.push(format!("{param} = {}", self.expr(one, TERNARY)?)),
                    false => lines.push(self.statement(one, true, false)?),
                }
            }
            self.result = None;
        }
        lines.retain(|line| !line.is_empty());
        if map.is_empty() {
            return if lines.is_empty() { Ok(None) } else { no(last, "it does not change the resources one by one") };
        }
        let hoisted: Vec<String> = self.hoisted.iter().map(|h| format!("let {h} = nil")).collect();
        Ok(Some(format!("{{ |{map}|\n{}\n{map}\n}}", [hoisted, lines].concat().join("\n"))))
    }
}

/// Returns the call of `resources.each { … }` and similar loops.
fn each_of<'p>(node: &Node<'p>, is_all: &dyn Fn(&Node<'_>) -> bool) -> Option<CallNode<'p>> {
    let call = node.as_call_node().filter(|c| c.block().is_some() && c.arguments().is_none())?;
    let is_loop = matches!(name(&call.name()).as_str(), "each" | "map" | "collect" | "map!" | "collect!");
    (is_loop && call.receiver().is_some_and(|of| is_all(&of))).then_some(call)
}
