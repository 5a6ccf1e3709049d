//! Arguments of functions against their signatures.

use super::actual::Actual;
use super::ruby_names::plain_functions;
use super::{Values, loose};
use crate::check::definition::plain_name;
use crate::check::modules::is_module_name;
use crate::compile::function::{Api, KnownFunction, KnownFunctions};
use crate::compile::types::{Callable, NamedSignature, Type, describe_signatures, signature};
use crate::syntax::tree::{Expression, ExpressionKind, LambdaExpression, Parameter, UnaryOperator};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic, suggest_nearest};
use rtype_lang::source::Span;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A call of a function.
pub(super) struct FunctionUse<'c> {
    pub name: &'c str,
    pub span: Span,
    /// The arguments; of chained calls, the receiver is the first.
    pub arguments: Vec<&'c Expression>,
    pub lambda: Option<&'c LambdaExpression>,
}

/// Functions of Puppet and PuppetDB that rtype does not have itself.
const OF_PUPPET: [&str; 6] = ["annotate", "eyaml_lookup_key", "hocon_data", "json_data", "puppetdb_query", "yaml_data"];

/// Returns the functions of Puppet itself and of the module `stdlib`.
fn natives() -> &'static KnownFunctions {
    static NATIVES: OnceLock<KnownFunctions> = OnceLock::new();
    NATIVES.get_or_init(crate::functions::table)
}

/// The arguments of a call, as far as they are known.
struct Arguments {
    /// Strings with interpolated expressions fit everything.
    firm: Vec<Actual>,
    /// Strings with interpolated expressions are strings.
    texts: Vec<Actual>,
}

impl Arguments {
    /// Returns the types to describe if no signature fits.
    fn described(self, signatures: &[NamedSignature<'_>]) -> Vec<Actual> {
        let fits = |signature: &NamedSignature<'_>| {
            let element = |at: usize| signature.callable.parameters.as_ref().and_then(|tuple| tuple.element(at));
            self.firm.iter().enumerate().all(|(at, firm)| element(at).is_none_or(|of| firm.fits(of)))
        };
        if signatures.iter().any(fits) { self.texts } else { self.firm }
    }

    fn fit(&self, callable: &Callable) -> bool {
        let element = |at: usize| callable.parameters.as_ref().and_then(|tuple| tuple.element(at));
        let each = |(at, (firm, text)): (usize, (&Actual, &Actual))| {
            element(at).is_none_or(|of| firm.fits(of) && (matches!(firm, Actual::Value(_)) || text.fits(&loose::loosened(of))))
        };
        callable.arity().contains_size(self.firm.len()) && self.firm.iter().zip(&self.texts).enumerate().all(each)
    }
}

impl Values<'_> {
    /// Compares the arguments of a call with the signatures of the function. Nothing is said about functions in Ruby that rtype does not
    /// have itself.
    pub(super) fn call(&mut self, call: &FunctionUse<'_>) {
        if call.arguments.iter().any(|argument| matches!(argument.kind, ExpressionKind::Unary(UnaryOperator::Splat, _))) {
            return;
        }
        let name = plain_name(call.name);
        if name == "epp" {
            self.template(call);
        }
        if let Some(known) = natives().get(&name) {
            self.native(call, known);
            return;
        }
        self.definitions.search_in("functions", &name, self.modules);
        let Some(parameters) = self.definitions.function(&name) else {
            self.unknown(&name, call.span);
            return;
        };
        let types: Option<Vec<Option<Type>>> = parameters.iter().map(|parameter| self.parameter_type(parameter)).collect();
        let Some(types) = types else { return };
        let callable = signature(&parameters, &types, None);
        let arguments = arguments(call);
        if !arguments.fit(&callable) {
            let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.text.to_string()).collect();
            self.report(call, &[NamedSignature { callable: &callable, names: &names, block_name: "block" }], arguments);
        }
    }

    /// Reports a function that its module does not have.
    fn unknown(&mut self, name: &str, span: Span) {
        let Some((module, rest)) = name.split_once("::") else {
            self.unknown_plain(name, span);
            return;
        };
        self.definitions.search(module, self.modules);
        let path = rest.replace("::", "/");
        let ruby = PathBuf::from("lib/puppet/functions").join(module).join(&path).with_extension("rb");
        let is_known = !rest.split("::").all(is_module_name)
            || !self.modules.has_file(module, Path::new("manifests"))
            || self.modules.has_file(module, &ruby)
            || self.definitions.function(name).is_some();
        if !is_known {
            let found = Diagnostic::new(Code::UnknownFunction, span, format!("the module `{module}` has no function `{name}`"));
            let help = format!("Puppet looks for it in `functions/{path}.pp` and `{}` of the module", ruby.display());
            self.found.push(found.help(help));
        }
    }

    /// Reports a function without a namespace that neither Puppet nor a module defines, if all modules that may define it were found.
    fn unknown_plain(&mut self, name: &str, span: Span) {
        let functions = &mut self.definitions.typed.plain_functions;
        let functions = functions.get_or_insert_with(|| plain_functions(self.modules));
        if functions.contains(name) || self.definitions.function(name).is_some() || OF_PUPPET.contains(&name) {
            return;
        }
        if !self.modules.has_all_dependencies() {
            self.unknown_calls += 1;
            return;
        }
        let own = self.definitions.typed.plain_functions.iter().flatten().map(EcoString::as_str);
        let known: Vec<&str> = own.chain(natives().iter().map(|known| known.function.name)).collect();
        let help = suggest_nearest(name, known)
            .unwrap_or_else(|| "add the module that has the function to the `dependencies` in `metadata.json`".into());
        self.found.push(Diagnostic::new(Code::UnknownFunction, span, format!("unknown function `{name}`")).help(help));
    }

    /// Returns the type of a parameter, `Some(None)` for parameters without one; `None` if the type is not known.
    fn parameter_type(&mut self, parameter: &Parameter) -> Option<Option<Type>> {
        match &parameter.kind {
            Some(kind) => self.definitions.type_of(kind, self.modules).map(Some),
            None => Some(None),
        }
    }

    fn native(&mut self, call: &FunctionUse<'_>, known: &KnownFunction) {
        if let Api::Legacy { arity, .. } = known.function.api {
            self.arity(call, arity);
            return;
        }
        let Ok(signatures) = known.signatures() else { return };
        let arguments = arguments(call);
        let needs_lambda = |callable: &Callable| callable.block.as_ref().is_some_and(|block| !block.accepts(&Type::Undef));
        let is_complete = |callable: &Callable| call.lambda.is_some() || !needs_lambda(callable);
        let signatures: Vec<_> = signatures.iter().filter(|signature| !signature.is_for_mistakes).collect();
        if signatures.is_empty() || signatures.iter().any(|s| arguments.fit(&s.callable) && is_complete(&s.callable)) {
            return;
        }
        let named = signatures.iter().map(|s| NamedSignature { callable: &s.callable, names: &s.names, block_name: &s.block_name });
        self.report(call, &named.collect::<Vec<_>>(), arguments);
    }

    /// Functions of the 3.x API have a number of arguments; a negative number is a minimum.
    fn arity(&mut self, call: &FunctionUse<'_>, arity: i32) {
        let given = i32::try_from(call.arguments.len()).unwrap_or(i32::MAX);
        let least = if arity < 0 { -(arity + 1) } else { arity };
        if given < least || (arity >= 0 && given > arity) {
            let at_least = if arity < 0 { "at least " } else { "" };
            let message = format!("the function `{}` expects {at_least}{least} arguments, and {given} are given", call.name);
            self.found.push(Diagnostic::new(Code::FunctionArguments, call.span, message));
        }
    }

    fn report(&mut self, call: &FunctionUse<'_>, signatures: &[NamedSignature<'_>], arguments: Arguments) {
        let known = arguments.described(signatures).into_iter().zip(&call.arguments).map(|(actual, argument)| {
            let of = actual.into_type();
            if self.secrets.touches(argument.span) { of.generalized() } else { of }
        });
        let known: Vec<Type> = known.collect();
        let text = describe_signatures(Some(call.name), signatures, &known, None);
        let text = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        self.found.push(Diagnostic::new(Code::FunctionArguments, call.span, text));
    }
}

fn arguments(call: &FunctionUse<'_>) -> Arguments {
    let all = |text: &Type| call.arguments.iter().map(|argument| Actual::of(argument, text)).collect();
    Arguments { firm: all(&Type::Unit), texts: all(&Type::STRING) }
}
