//! Attributes whose `munge` assigns another attribute: `munge { |v| resource[:source] = v }`. The assignment moves to `finalize`.

use super::block::{AttributeContext, Text};
use super::items::ClassItem;
use super::type_decl::{Fragment, Reader};
use rtype_lang::syntax::written_symbol;
use ruby_prism::Node;

impl<'p> Reader<'_, '_, 'p> {
    /// Translates the value of `munge`; empty if it only assigns and returns the value unchanged.
    pub(super) fn munge_value(&self, owner: &AttributeContext, params: &[String], body: Vec<Node<'_>>) -> Text {
        let bars = params.join(", ");
        self.block(Some(owner), |block| {
            block.only_values = true;
            let code = block.whole(params, body)?;
            let as_it_is = !block.writes.is_empty() && code == format!("{{ |{bars}| {bars} }}");
            Ok(if as_it_is { String::new() } else { code })
        })
    }

    /// Translates the assignments in the `munge` of a parameter.
    pub(super) fn writes_in(&mut self, item: &ClassItem<'p>) -> Option<Fragment> {
        let attribute = item.first_word().filter(|_| item.is("newparam"))?;
        let munge = self.attribute_items(item).into_iter().rfind(|i| i.is("munge"))?;
        let closure = munge.closure()?;
        let params = closure.params.clone().filter(|p| p.len() == 1)?;
        let owner = self.owner(&attribute, &[]);
        let (code, writes) = self.block(Some(&owner), |b| (b.whole(&params, closure.body), b.writes.clone()));
        let ([written], Ok(code), [param]) = (writes.as_slice(), code, params.as_slice()) else { return None };
        let symbol = written_symbol(&attribute);
        // In Ruby, an explicit value of an attribute that is declared later overwrites this one.
        let place = |wanted: &String| self.scope.params.iter().position(|p| p == wanted);
        let earlier = self.scope.properties.contains(written) || place(written) < place(&attribute);
        let test = format!("self.set?({symbol})")
            + &if earlier { String::new() } else { format!(" && self.raw({}).nil?", written_symbol(written)) };
        let alone = format!("{{ |{param}| self.{written} = {param} }}");
        let text = if code == alone {
            format!("finalize {{ self.{written} = self.{attribute} if {test} }}")
        } else {
            let inner = code.strip_prefix(&format!("{{ |{param}| "))?.strip_suffix('}')?;
            format!("finalize {{\nif {test} {{\nlet {param} = self.raw({symbol})\n{}\n}}\n}}", inner.trim())
        };
        Some(self.ready(&munge, "validate", text))
    }
}
