//! Translates class methods that blocks call, of modules and of the attributes' classes, to functions of the file.

use super::block::{AttributeContext, Caller};
use super::budget::DECLARATION;
use super::eval::ClassId;
use super::known::StaticValue;
use super::ruby::{self, ByteRange, is_word};
use super::type_decl::{Fragment, Reader};
use rtype_lang::types::builtin::Function;
use ruby_prism::DefNode;
use std::rc::Rc;

/// A function of a module, or a class method of an attribute, that translated code calls.
pub(super) struct RequestedFunction<'p> {
    class: ClassId,
    method: String,
    /// Its name in the type file.
    function: String,
    def: Rc<DefNode<'p>>,
    file: usize,
    is_object: bool,
    is_done: bool,
}

impl<'p> Reader<'_, '_, 'p> {
    /// Evaluates code at a place whose value is known when the type is loaded; `unknown` are locals of a block, which are not.
    pub(super) fn fold(&self, at: &ByteRange, unknown: &[String]) -> Option<StaticValue> {
        if let Some(variable) = self.slice(at).strip_prefix('@').filter(|v| is_word(v)) {
            return self.loaded.fixed(&self.variable_of_object(&format!("@{variable}"))?);
        }
        self.loaded.value_at(self.file, at, &self.scope.known, unknown)
    }

    /// Returns the name of the function that a class method becomes; `None` if Ruby code does not define it.
    pub(super) fn function_of(&self, of: &Caller<'_>, attribute: Option<&AttributeContext>, method: &str) -> Option<String> {
        let class = match of {
            Caller::Module(at) => self.loaded.module_at(self.file, at)?,
            Caller::Own => attribute?.class?,
        };
        let is_object = matches!(of, Caller::Own) && attribute?.is_object;
        let (def, file, owner) = match is_object {
            true => self.loaded.object_method(class, method).map(|(def, file)| (def, file, class))?,
            false => self.loaded.class_method(class, method)?,
        };
        let mut all = self.requested.borrow_mut();
        if let Some(known) = all.iter().find(|f| f.class == owner && f.method == method) {
            return Some(known.function.clone());
        }
        let bare = method.trim_end_matches('?');
        if !is_word(bare) {
            return None;
        }
        let module = self.loaded.ruby.borrow().classes.get(owner).name.clone();
        let module = ruby::snake_case(module.rsplit("::").next().unwrap_or_default());
        let taken = |f: &str| {
            self.scope.functions.contains(f) || self.scope.helpers.values().any(|h| h == f) || all.iter().any(|a| a.function == f)
        };
        let function = [method.to_owned(), format!("{module}_{method}")].into_iter().find(|f| !taken(f) && Function::named(f).is_none())?;
        all.push(RequestedFunction {
            class: owner,
            method: method.to_owned(),
            function: function.clone(),
            def,
            file,
            is_object,
            is_done: false,
        });
        Some(function)
    }

    /// Translates the functions that translated code calls, and those that they call.
    pub(super) fn requested_functions(&mut self) -> Vec<Fragment> {
        let mut pieces = Vec::new();
        loop {
            let next = self.requested.borrow_mut().iter_mut().find(|f| !f.is_done).map(|f| {
                f.is_done = true;
                (f.class, f.function.clone(), Rc::clone(&f.def), f.file, f.is_object)
            });
            let Some((class, function, def, file, is_object)) = next else { return pieces };
            if self.loaded.budget.spend(DECLARATION).is_none() {
                return pieces;
            }
            self.go(file);
            self.scope.known.clear();
            let owner = AttributeContext { outside: true, class: Some(class), is_module: true, is_object, ..AttributeContext::default() };
            let piece = self.function(&ruby::at(&def.location()), &def, &function, Some(&owner));
            pieces.push(Fragment { mixed_in: true, ..piece });
        }
    }
}
