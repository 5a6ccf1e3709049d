//! The one walk over trees.

use super::tree::{AttributeOperation, Expression, ExpressionKind, HashEntry, LambdaExpression, Parameter, Segment};

/// Calls a function with each expression directly below an expression, in the order of the source.
pub fn children<'t>(expression: &'t Expression, visit: &mut dyn FnMut(&'t Expression)) {
    match &expression.kind {
        ExpressionKind::Interpolated(segments) => {
            for segment in segments {
                if let Segment::Value(value) = segment {
                    visit(value);
                }
            }
        }
        ExpressionKind::Heredoc(heredoc) => visit(&heredoc.text),
        ExpressionKind::Array(all) | ExpressionKind::Block(all) => all.iter().for_each(visit),
        ExpressionKind::Hash(entries) => pairs(entries, visit),
        ExpressionKind::Paren(inner) | ExpressionKind::Unary(_, inner) | ExpressionKind::Render(inner) => visit(inner),
        ExpressionKind::Binary(binary) => {
            visit(&binary.left);
            visit(&binary.right);
        }
        ExpressionKind::Access(access) => {
            visit(&access.target);
            access.keys.iter().for_each(visit);
        }
        ExpressionKind::Call(call) => {
            visit(&call.function);
            call.arguments.iter().for_each(&mut *visit);
            call.lambda.iter().for_each(|l| lambda(l, visit));
        }
        ExpressionKind::Method(call) => {
            visit(&call.receiver);
            call.arguments.iter().for_each(&mut *visit);
            call.lambda.iter().for_each(|l| lambda(l, visit));
        }
        ExpressionKind::Selector(selector) => {
            visit(&selector.subject);
            pairs(&selector.entries, visit);
        }
        _ => statements(expression, visit),
    }
}

fn statements<'t>(expression: &'t Expression, visit: &mut dyn FnMut(&'t Expression)) {
    match &expression.kind {
        ExpressionKind::Collector(collector) => {
            visit(&collector.kind);
            collector.query.iter().for_each(&mut *visit);
            attributes(&collector.attributes, visit);
        }
        ExpressionKind::If(conditional) => {
            for branch in &conditional.branches {
                visit(&branch.condition);
                branch.body.iter().for_each(&mut *visit);
            }
            conditional.otherwise.iter().flatten().for_each(visit);
        }
        ExpressionKind::Case(case) => {
            visit(&case.subject);
            case.options.iter().flat_map(|o| o.values.iter().chain(&o.body)).for_each(visit);
        }
        ExpressionKind::Resource(resource) => {
            visit(&resource.kind);
            for body in &resource.bodies {
                visit(&body.title);
                attributes(&body.attributes, visit);
            }
        }
        ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => {
            visit(&settings.target);
            attributes(&settings.attributes, visit);
        }
        ExpressionKind::Definition(definition) => {
            parameters(&definition.parameters, visit);
            definition.returns.iter().for_each(&mut *visit);
            definition.body.iter().flatten().for_each(visit);
        }
        ExpressionKind::Node(node) => node.hosts.iter().chain(&node.parent).chain(node.body.iter().flatten()).for_each(visit),
        ExpressionKind::TypeAlias(alias) => {
            visit(&alias.name);
            visit(&alias.target);
        }
        _ => {}
    }
}

fn pairs<'t>(entries: &'t [HashEntry], visit: &mut dyn FnMut(&'t Expression)) {
    entries.iter().flat_map(|e| [&e.key, &e.value]).for_each(visit);
}

fn attributes<'t>(attributes: &'t [AttributeOperation], visit: &mut dyn FnMut(&'t Expression)) {
    attributes.iter().map(|a| &a.value).for_each(visit);
}

fn parameters<'t>(parameters: &'t [Parameter], visit: &mut dyn FnMut(&'t Expression)) {
    parameters.iter().flat_map(|p| p.kind.iter().chain(&p.default)).for_each(visit);
}

fn lambda<'t>(lambda: &'t LambdaExpression, visit: &mut dyn FnMut(&'t Expression)) {
    parameters(&lambda.parameters, visit);
    lambda.returns.iter().chain(&lambda.body).for_each(visit);
}
