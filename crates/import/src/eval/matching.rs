//! Regexes: matches, and replacements by a block.

use super::data::{compiled, embedded, escaped};
use super::value::{CallArguments, RubyPattern, RubyValue};
use super::{Eval, Evaluator, RubyFrame};
use rtype_lang::value::{Flags, Regex};
use ruby_prism::Node;
use std::cell::RefCell;
use std::rc::Rc;

impl<'w> Evaluator<'_, 'w> {
    /// `text.gsub(pattern) { |match| … }`.
    pub(super) fn substitute(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        text: &Rc<RefCell<String>>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Eval<'w> {
        let Some(block) = given.block.clone() else { return Ok(RubyValue::Nil) };
        let whole = text.borrow().clone();
        let regex = match given.plain.first() {
            Some(RubyValue::Regex(regex)) => compiled(regex),
            Some(RubyValue::Str(text)) => Regex::new(&escaped(&text.borrow()), Flags::default()).ok(),
            _ => None,
        };
        let Some(regex) = regex else { return Ok(self.unknown(frame, node, "this pattern is not supported")) };
        let (mut out, mut at, mut from) = (String::new(), 0, 0);
        while let Some(found) = regex.captures_at(&whole, from) {
            self.spend(1)?;
            let Some(range) = found.first().cloned().flatten() else { break };
            self.remember(frame, &whole, &found);
            out.push_str(whole.get(at..range.start).unwrap_or_default());
            let given = RubyValue::str(whole.get(range.clone()).unwrap_or_default());
            let value = self.call(&block, CallArguments::of(vec![given]))?;
            match self.text_of(frame, node, &value)? {
                Ok(text) => out.push_str(&text),
                Err(why) => return Ok(RubyValue::Unknown(why)),
            }
            at = range.end;
            from = if range.is_empty() {
                range.end + whole.get(range.end..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8)
            } else {
                range.end
            };
            if range.is_empty() {
                out.push_str(whole.get(at..from).unwrap_or_default());
                at = from;
            }
            if method.starts_with("sub") || from > whole.len() {
                break;
            }
        }
        out.push_str(whole.get(at..).unwrap_or_default());
        if method.ends_with('!') {
            text.borrow_mut().clone_from(&out);
        }
        Ok(RubyValue::str(out))
    }

    pub(super) fn regex_call(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        regex: &Rc<RubyPattern>,
        method: &str,
        given: &CallArguments<'w>,
    ) -> Option<Eval<'w>> {
        match (method, given.plain.first()) {
            ("source", _) => Some(Ok(RubyValue::str(regex.source.as_str()))),
            ("to_s", _) => Some(Ok(RubyValue::str(embedded(regex)))),
            ("options", _) => Some(Ok(RubyValue::Int(
                regex
                    .flags
                    .chars()
                    .map(|f| match f {
                        'i' => 1,
                        'x' => 2,
                        _ => 4,
                    })
                    .sum(),
            ))),
            ("=~" | "match" | "match?" | "===", Some(other)) => match other.word() {
                Some(text) => Some(self.matched(frame, node, regex, &text, method)),
                None if other.unknown().is_some() => Some(Ok(other.clone())),
                None => Some(Ok(if method == "===" || method == "match?" { RubyValue::Bool(false) } else { RubyValue::Nil })),
            },
            ("freeze", _) => Some(Ok(RubyValue::Regex(Rc::clone(regex)))),
            _ => None,
        }
    }

    /// Matches a text, and remembers the groups for `$1`.
    pub(super) fn matched(
        &mut self,
        frame: &RubyFrame<'w>,
        node: &Node<'w>,
        regex: &Rc<RubyPattern>,
        text: &str,
        method: &str,
    ) -> Eval<'w> {
        let Some(engine) = compiled(regex) else { return Ok(self.unknown(frame, node, "this pattern is not supported")) };
        let found = engine.captures_at(text, 0);
        if matches!(method, "match?") {
            return Ok(RubyValue::Bool(found.is_some()));
        }
        let groups = found.as_ref().map(|found| self.remember(frame, text, found));
        if found.is_none() {
            *frame.scope.matched.borrow_mut() = Some(Vec::new());
        }
        Ok(match (method, found) {
            ("===", found) => RubyValue::Bool(found.is_some()),
            (_, None) => RubyValue::Nil,
            ("=~", Some(found)) => {
                let at = found.first().cloned().flatten().map_or(0, |r| r.start);
                RubyValue::int(text.get(..at).unwrap_or_default().chars().count())
            }
            // A match behaves as the list of its groups here.
            _ => {
                let names = engine.group_names();
                let groups = groups.unwrap_or_default();
                if names.is_empty() {
                    RubyValue::array(groups)
                } else {
                    let mut pairs: Vec<(RubyValue<'w>, RubyValue<'w>)> =
                        groups.iter().cloned().enumerate().map(|(i, g)| (RubyValue::int(i), g)).collect();
                    for (name, at) in names {
                        let group = groups.get(at).cloned().unwrap_or(RubyValue::Nil);
                        pairs.push((RubyValue::str(name), group.clone()));
                        pairs.push((RubyValue::sym(name), group));
                    }
                    RubyValue::hash(pairs)
                }
            }
        })
    }

    fn remember(&self, frame: &RubyFrame<'w>, text: &str, found: &rtype_lang::value::Captures) -> Vec<RubyValue<'w>> {
        let group =
            |r: &Option<std::ops::Range<usize>>| r.as_ref().and_then(|r| text.get(r.clone())).map_or(RubyValue::Nil, RubyValue::str);
        let groups: Vec<RubyValue<'w>> = found.iter().map(group).collect();
        *frame.scope.matched.borrow_mut() = Some(groups.clone());
        groups
    }

    pub(super) fn regex_of(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: &CallArguments<'w>) -> RubyValue<'w> {
        match given.plain.first() {
            Some(RubyValue::Regex(regex)) => RubyValue::Regex(Rc::clone(regex)),
            Some(RubyValue::Str(source)) => {
                let flags = match given.plain.get(1) {
                    Some(RubyValue::Int(bits)) => {
                        [(1, 'i'), (4, 'm'), (2, 'x')].iter().filter(|(bit, _)| bits & bit != 0).map(|(_, f)| *f).collect()
                    }
                    Some(RubyValue::Unknown(why)) => return RubyValue::Unknown(Rc::clone(why)),
                    None | Some(RubyValue::Nil | RubyValue::Bool(false)) => String::new(),
                    // Texts are flags only from Ruby 3.2 on.
                    Some(_) => "i".to_owned(),
                };
                RubyValue::Regex(Rc::new(RubyPattern { source: source.borrow().clone(), flags }))
            }
            Some(RubyValue::Unknown(why)) => RubyValue::Unknown(Rc::clone(why)),
            _ => self.unknown(frame, node, "this pattern is not known"),
        }
    }

    pub(super) fn union(&mut self, frame: &RubyFrame<'w>, node: &Node<'w>, given: &CallArguments<'w>) -> RubyValue<'w> {
        let items: Vec<RubyValue<'w>> = given.plain.iter().flat_map(|v| self.items_of(v).unwrap_or_else(|| vec![v.clone()])).collect();
        let mut parts = Vec::new();
        for item in items {
            parts.push(match item {
                RubyValue::Regex(regex) => embedded(&regex),
                other => match other.word() {
                    Some(text) => escaped(&text),
                    None => return self.unknown(frame, node, "this pattern is not known"),
                },
            });
        }
        RubyValue::Regex(Rc::new(RubyPattern { source: parts.join("|"), flags: String::new() }))
    }
}
