//! Prints trees in PN, the notation of Puppet's own parser, as JSON: `{"^": [name, …]}` is a call, `{"#": [key, value, …]}` a map.

use super::token::TokenKind;
use super::tree::{
    AttributeOperation, AttributeSettings, Conditional, Definition, DefinitionKind, Expression, ExpressionKind, FunctionCall, HashEntry,
    LambdaExpression, ManifestTree, NodeDefinition, Parameter, ResourceExpression, ResourceForm, Segment, TypeAlias, UnaryOperator,
};
use serde_json::{Value, json};

/// Returns a tree in PN, as JSON.
pub fn pn(tree: &ManifestTree) -> Value {
    match &tree.template {
        None => block_or_expression(&tree.statements),
        Some(template) => {
            let body = call("epp", expressions(&tree.statements));
            let mut entries = parameters(template.parameters.as_deref().unwrap_or_default());
            entries.push(("body", json!([body])));
            call("lambda", vec![map(entries)])
        }
    }
}

fn call(name: &str, arguments: Vec<Value>) -> Value {
    let elements: Vec<Value> = std::iter::once(json!(name)).chain(arguments).collect();
    json!({ "^": elements })
}

fn map(entries: Vec<(&str, Value)>) -> Value {
    let elements: Vec<Value> = entries.into_iter().flat_map(|(key, value)| [json!(key), value]).collect();
    json!({ "#": elements })
}

fn expressions(all: &[Expression]) -> Vec<Value> {
    all.iter().map(expression).collect()
}

/// Returns the statements of an `if`, `unless` or of a whole manifest: a block only if there are several.
fn block_or_expression(statements: &[Expression]) -> Value {
    match statements {
        [] => call("nop", Vec::new()),
        [single] => expression(single),
        several => call("block", expressions(several)),
    }
}

/// Returns the list of statements after `if` and `else`; a single block is not nested.
fn flattened(statements: &[Expression]) -> Value {
    match statements {
        [Expression { kind: ExpressionKind::Block(inner), .. }] => json!(expressions(inner)),
        statements => json!(expressions(statements)),
    }
}

fn expression(e: &Expression) -> Value {
    match &e.kind {
        ExpressionKind::Error => call("error", Vec::new()),
        ExpressionKind::Undef => Value::Null,
        ExpressionKind::Default => call("default", Vec::new()),
        ExpressionKind::Boolean(value) => json!(value),
        ExpressionKind::Integer { value, radix: 10 } => json!(value),
        ExpressionKind::Integer { value, radix } => call("int", vec![map(vec![("radix", json!(radix)), ("value", json!(value))])]),
        ExpressionKind::Float(value) => json!(value),
        ExpressionKind::Text(text) => json!(text.as_str()),
        ExpressionKind::Pattern(text) => call("regexp", vec![json!(text.as_str())]),
        ExpressionKind::Interpolated(segments) => call("concat", segments.iter().map(segment).collect()),
        ExpressionKind::Heredoc(heredoc) => {
            let syntax = (!heredoc.syntax.is_empty()).then(|| ("syntax", json!(heredoc.syntax.as_str())));
            call("heredoc", vec![map(syntax.into_iter().chain([("text", expression(&heredoc.text))]).collect())])
        }
        ExpressionKind::Name(name) => call("qn", vec![json!(name.as_str())]),
        ExpressionKind::TypeName(name) => call("qr", vec![json!(name.as_str())]),
        ExpressionKind::Variable(name) => call("var", vec![json!(name.as_str())]),
        ExpressionKind::Reserved(word) => call("reserved", vec![json!(word.as_str())]),
        ExpressionKind::Array(elements) => call("array", expressions(elements)),
        ExpressionKind::Hash(entries) => call("hash", entries.iter().map(entry).collect()),
        ExpressionKind::Paren(inner) => call("paren", vec![expression(inner)]),
        ExpressionKind::Unary(operator, operand) => unary(*operator, operand),
        ExpressionKind::Binary(binary) => call(operator_text(binary.operator), vec![expression(&binary.left), expression(&binary.right)]),
        ExpressionKind::Access(access) => {
            call("access", std::iter::once(expression(&access.target)).chain(expressions(&access.keys)).collect())
        }
        ExpressionKind::Block(statements) => call("block", expressions(statements)),
        ExpressionKind::Render(value) => call("render", vec![block_of_render(value)]),
        ExpressionKind::RenderText(text) => call("render-s", vec![json!(text.as_str())]),
        kind => compound(kind),
    }
}

fn block_of_render(value: &Expression) -> Value {
    match &value.kind {
        ExpressionKind::Block(statements) => block_or_expression(statements),
        _ => expression(value),
    }
}

fn compound(kind: &ExpressionKind) -> Value {
    match kind {
        ExpressionKind::Call(called) => function_call(called),
        ExpressionKind::Method(chained) => {
            let name = call("qn", vec![json!(chained.name.text.as_str())]);
            let functor = call(".", vec![expression(&chained.receiver), name]);
            invocation("call-method", functor, &chained.arguments, chained.lambda.as_ref())
        }
        ExpressionKind::Selector(selector) => {
            call("?", vec![expression(&selector.subject), Value::Array(selector.entries.iter().map(entry).collect())])
        }
        ExpressionKind::Collector(collector) => {
            let name = if collector.is_exported { "exported-query" } else { "virtual-query" };
            let query = call(name, collector.query.iter().map(expression).collect());
            let mut entries = vec![("type", expression(&collector.kind)), ("query", query)];
            if !collector.attributes.is_empty() {
                entries.push(("ops", operations(&collector.attributes)));
            }
            call("collect", vec![map(entries)])
        }
        ExpressionKind::If(conditional) => condition(conditional),
        ExpressionKind::Case(case) => {
            let option = |o: &super::tree::CaseOption| {
                let body = if o.body.is_empty() { json!([call("nop", Vec::new())]) } else { json!(expressions(&o.body)) };
                map(vec![("when", json!(expressions(&o.values))), ("then", body)])
            };
            call("case", vec![expression(&case.subject), Value::Array(case.options.iter().map(option).collect())])
        }
        ExpressionKind::Resource(resource) => resources(resource),
        ExpressionKind::Defaults(settings) => attribute_settings("resource-defaults", "type", settings),
        ExpressionKind::Override(settings) => attribute_settings("resource-override", "resources", settings),
        ExpressionKind::Definition(defined) => definition(defined),
        ExpressionKind::Node(defined) => node(defined),
        ExpressionKind::TypeAlias(alias) => type_alias(alias),
        _ => call("error", Vec::new()),
    }
}

fn segment(segment: &Segment) -> Value {
    match segment {
        Segment::Text(text) => json!(text.as_str()),
        Segment::Value(value) => call("str", vec![expression(value)]),
    }
}

fn entry(entry: &HashEntry) -> Value {
    call("=>", vec![expression(&entry.key), expression(&entry.value)])
}

fn unary(operator: UnaryOperator, operand: &Expression) -> Value {
    match (operator, &operand.kind) {
        (UnaryOperator::Minus, ExpressionKind::Integer { value, .. }) => json!(-value),
        (UnaryOperator::Minus, ExpressionKind::Float(value)) => json!(-value),
        (UnaryOperator::Minus, _) => call("-", vec![expression(operand)]),
        (UnaryOperator::Not, _) => call("!", vec![expression(operand)]),
        (UnaryOperator::Splat, _) => call("unfold", vec![expression(operand)]),
    }
}

fn operator_text(operator: TokenKind) -> &'static str {
    match operator {
        TokenKind::And => "and",
        TokenKind::Or => "or",
        TokenKind::In => "in",
        TokenKind::Matches => "=~",
        TokenKind::NotMatches => "!~",
        TokenKind::Plus => "+",
        TokenKind::Minus => "-",
        TokenKind::Times => "*",
        TokenKind::Divide => "/",
        TokenKind::Modulo => "%",
        TokenKind::ShiftLeft => "<<",
        TokenKind::ShiftRight => ">>",
        TokenKind::NotEqual => "!=",
        TokenKind::Equal => "==",
        TokenKind::Greater => ">",
        TokenKind::GreaterEqual => ">=",
        TokenKind::Less => "<",
        TokenKind::LessEqual => "<=",
        TokenKind::Before => "->",
        TokenKind::Notify => "~>",
        TokenKind::Require => "<-",
        TokenKind::Subscribe => "<~",
        TokenKind::Assign => "=",
        TokenKind::Append => "+=",
        TokenKind::Delete => "-=",
        _ => "error",
    }
}

fn function_call(called: &FunctionCall) -> Value {
    let name = if called.is_statement { "invoke" } else { "call" };
    invocation(name, expression(&called.function), &called.arguments, called.lambda.as_ref())
}

fn invocation(name: &str, functor: Value, arguments: &[Expression], block: Option<&LambdaExpression>) -> Value {
    let mut entries = vec![("functor", functor), ("args", json!(expressions(arguments)))];
    entries.extend(block.map(|block| ("block", lambda(block))));
    call(name, vec![map(entries)])
}

fn lambda(lambda: &LambdaExpression) -> Value {
    let mut entries = parameters(&lambda.parameters);
    entries.extend(lambda.returns.as_ref().map(|kind| ("returns", expression(kind))));
    if !lambda.body.is_empty() {
        entries.push(("body", json!(expressions(&lambda.body))));
    }
    call("lambda", vec![map(entries)])
}

/// Returns the entry of the parameters, if there are any.
fn parameters(all: &[Parameter]) -> Vec<(&'static str, Value)> {
    if all.is_empty() {
        return Vec::new();
    }
    let parameter = |p: &Parameter| {
        let mut entries: Vec<(&str, Value)> = p.kind.iter().map(|kind| ("type", expression(kind))).collect();
        if p.is_splat {
            entries.push(("splat", json!(true)));
        }
        entries.extend(p.default.as_ref().map(|value| ("value", expression(value))));
        map(entries)
    };
    vec![("params", map(all.iter().map(|p| (p.name.text.as_str(), parameter(p))).collect()))]
}

/// Each `elsif` is an `if` in the `else` of the one before.
fn condition(conditional: &Conditional) -> Value {
    let mut otherwise = conditional.otherwise.as_ref().filter(|body| !body.is_empty()).map(|body| flattened(body));
    let mut result = Value::Null;
    for branch in conditional.branches.iter().rev() {
        let mut entries = vec![("test", expression(&branch.condition))];
        if !branch.body.is_empty() {
            entries.push(("then", flattened(&branch.body)));
        }
        entries.extend(otherwise.take().map(|body| ("else", body)));
        result = call(if conditional.is_unless { "unless" } else { "if" }, vec![map(entries)]);
        otherwise = Some(json!([result]));
    }
    result
}

fn form_entry(form: ResourceForm) -> Option<(&'static str, Value)> {
    match form {
        ResourceForm::Regular => None,
        ResourceForm::Virtual => Some(("form", json!("virtual"))),
        ResourceForm::Exported => Some(("form", json!("exported"))),
    }
}

fn resources(resource: &ResourceExpression) -> Value {
    let body = |b: &super::tree::ResourceInstance| map(vec![("title", expression(&b.title)), ("ops", operations(&b.attributes))]);
    let bodies = Value::Array(resource.bodies.iter().map(body).collect());
    let mut entries = vec![("type", expression(&resource.kind)), ("bodies", bodies)];
    entries.extend(form_entry(resource.form));
    call("resource", vec![map(entries)])
}

fn attribute_settings(name: &str, key: &str, settings: &AttributeSettings) -> Value {
    let mut entries = vec![(key, expression(&settings.target)), ("ops", operations(&settings.attributes))];
    entries.extend(form_entry(settings.form));
    call(name, vec![map(entries)])
}

fn operations(attributes: &[AttributeOperation]) -> Value {
    let operation = |a: &AttributeOperation| match &a.name {
        Some(name) => call(if a.appends { "+>" } else { "=>" }, vec![json!(name.text.as_str()), expression(&a.value)]),
        None => call("splat-hash", vec![expression(&a.value)]),
    };
    Value::Array(attributes.iter().map(operation).collect())
}

fn definition(definition: &Definition) -> Value {
    let name = match definition.kind {
        DefinitionKind::Class => "class",
        DefinitionKind::Define => "define",
        DefinitionKind::Function => "function",
    };
    let mut entries = vec![("name", json!(definition.name.text.as_str()))];
    entries.extend(definition.parent.as_ref().map(|parent| ("parent", json!(parent.text.as_str()))));
    entries.extend(parameters(&definition.parameters));
    entries.extend(definition.body.as_ref().map(|body| ("body", json!(expressions(body)))));
    entries.extend(definition.returns.as_ref().map(|kind| ("returns", expression(kind))));
    call(name, vec![map(entries)])
}

fn node(node: &NodeDefinition) -> Value {
    let mut entries = vec![("matches", json!(expressions(&node.hosts)))];
    entries.extend(node.parent.as_ref().map(|parent| ("parent", expression(parent))));
    entries.extend(node.body.as_ref().map(|body| ("body", flattened(body))));
    call("node", vec![map(entries)])
}

fn type_alias(alias: &TypeAlias) -> Value {
    match &alias.name.kind {
        ExpressionKind::TypeName(name) => call("type-alias", vec![json!(name.as_str()), expression(&alias.target)]),
        _ => call("type-mapping", vec![expression(&alias.name), expression(&alias.target)]),
    }
}
