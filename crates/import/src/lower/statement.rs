//! Statements: sequences, branches, assignments, errors.

use super::build::{self, name};
use super::{BodyLowering, Lowered, UntranslatedReason, local_name};
use crate::facts::{Denotation, SelfObject};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{Arm, BinaryOp, Block, Condition, Expr, ExprKind};
use rtype_lang::typing::Kinds;
use rtype_ruby::hir::{
    ArenaId, CallArgs, CallStyle, Case, Element, ExprId, HirBody, HirChild, HirKind, LocalId, LocalRef, MethodCall, MultiTarget,
    SourceRange, SuperCall, Target,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Metaparameters that code may assign.
pub(super) const METAPARAMS: &[&str] = &["tag", "loglevel", "noop"];

impl BodyLowering<'_, '_, '_> {
    pub(crate) fn kind(&self, id: ExprId) -> HirKind {
        self.hir.body(self.body).map_or(HirKind::Nil, |body| body.kind(id).clone())
    }

    /// Translates a sequence. Its last statement is the value if that matters.
    pub(super) fn sequence(&mut self, root: ExprId, has_result: bool, is_whole: bool) -> Lowered<Vec<Expr>> {
        let statements = match self.kind(root) {
            HirKind::Seq(all) => all,
            _ => vec![root],
        };
        let declared = self.declared.clone();
        let mut out = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            let is_last = at + 1 == statements.len();
            let (parts, before) = (self.effects.parts.len(), out.len());
            match self.statement(*statement, is_last && has_result, &mut out) {
                Ok(()) => {}
                Err(reason) if is_whole && out.iter().all(build::has_no_effect) => return Err(reason),
                Err(reason) => {
                    out.push(build::call("untranslated", vec![build::string(&reason.reason.to_string())]));
                    self.effects.parts.truncate(parts);
                    self.effects.parts.push(reason);
                    break;
                }
            }
            let span = self.names.span(self.origin(*statement));
            if let Some(first) = out.get_mut(before) {
                *first = build::anchored(std::mem::replace(first, name("")), span);
            }
        }
        if !is_whole {
            self.declared = declared;
        }
        Ok(out)
    }

    pub(super) fn inner(&mut self, root: ExprId, has_result: bool) -> Lowered<Block> {
        Ok(build::block(self.deeper(root, |lowering| lowering.sequence(root, has_result, false))?))
    }

    pub(super) fn statement(&mut self, id: ExprId, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        let origin = self.origin(id);
        match self.kind(id) {
            HirKind::Nil if !is_value => {}
            HirKind::Seq(all) => {
                for (at, inner) in all.iter().enumerate() {
                    let is_value = is_value && at + 1 == all.len();
                    self.deeper(*inner, |lowering| lowering.statement(*inner, is_value, out))?;
                }
            }
            HirKind::Assign { target: Target::Local(of), value } => self.assignment(of, value, is_value, out)?,
            HirKind::Or(left, right) if self.is_assignment_of(left, right) => {
                let test = build::not(self.expr(left)?);
                self.hoist(&[right], out);
                let then = self.inner(right, false)?;
                out.push(build::expr(ExprKind::If { branches: vec![(condition(test), then)], otherwise: None }));
                if is_value {
                    let value = self.expr(left)?;
                    out.push(value);
                }
            }
            HirKind::Or(test, raised) if !is_value && self.is_raise(raised) => {
                let test = build::not(self.first_condition(test, out)?);
                let then = self.inner(raised, false)?;
                out.push(build::expr(ExprKind::If { branches: vec![(condition(test), then)], otherwise: None }));
            }
            HirKind::Super(call) if !is_value && self.is_nothing(&call) => {}
            // Puppet checks the features that allowed values require.
            HirKind::Call(call) if !is_value && self.role.super_is_nothing && &*call.name == "validate_features_per_value" => {}
            HirKind::Assign { target: Target::Variable(_), value } if self.is_initialize() && !is_value && self.stores_literal(value) => {}
            HirKind::And(test, done) if !is_value => self.guarded(test, done, out)?,
            HirKind::Or(test, done) if !is_value && matches!(self.kind(test), HirKind::Assign { .. }) => {
                self.alternative(test, done, out)?;
            }
            HirKind::If { then, otherwise, .. } if is_value && self.is_ternary(id, [then, otherwise]) => {
                let value = self.expr(id)?;
                out.push(value);
            }
            HirKind::If { condition, then, otherwise } => self.branches(condition, then, otherwise, is_value, out)?,
            HirKind::Case(case) => self.case(&case, is_value, out)?,
            HirKind::Return(value) => {
                let value = value.map(|value| self.value_after(value, out)).transpose()?.map(Box::new);
                out.push(build::expr(ExprKind::Return(value)));
            }
            HirKind::Next(value) => {
                let value = value.map(|value| self.expr(value)).transpose()?.map(Box::new);
                out.push(build::expr(if self.depth == 0 { ExprKind::Return(value) } else { ExprKind::Next(value) }));
            }
            HirKind::Call(call) if !is_value && self.makes_address(&call) => {
                let address = self.only_argument(&call, origin)?;
                out.push(build::call("ip", vec![address]));
            }
            HirKind::Call(call) => {
                self.hoist_late(id, out);
                if let Some(changed) = self.in_place(&call, is_value, origin)? {
                    out.extend(changed);
                    return Ok(());
                }
                if let Some(failed) = self.failing(&call, origin)? {
                    out.push(failed);
                    return Ok(());
                }
                let value = self.call(id, &call)?;
                out.push(value);
            }
            HirKind::Assign { target: Target::Index { receiver, args }, value } if self.is_resource(receiver) && !is_value => {
                out.push(self.attribute_assignment(&args, value, origin)?);
            }
            HirKind::Assign { target: Target::Multiple(targets), value } => self.destructuring(&targets, value, is_value, out)?,
            HirKind::Assign { target: Target::Index { receiver, args }, value } if !is_value => {
                let changed = self.element_assignment(receiver, &args, value, origin)?;
                out.push(changed);
            }
            HirKind::Assign { .. } => return self.fail(UntranslatedReason::Form("this assignment"), origin),
            HirKind::While { .. } | HirKind::For { .. } => return self.fail(UntranslatedReason::Form("this loop"), origin),
            HirKind::Begin(begin) => self.begin(&begin, is_value, origin, out)?,
            _ => {
                let value = self.expr(id)?;
                out.push(value);
            }
        }
        Ok(())
    }

    /// Translates `test && statement`.
    fn guarded(&mut self, test: ExprId, done: ExprId, out: &mut Vec<Expr>) -> Lowered<()> {
        let test = self.first_condition(test, out)?;
        self.hoist(&[done], out);
        let then = self.inner(done, false)?;
        out.push(build::expr(ExprKind::If { branches: vec![(condition(test), then)], otherwise: None }));
        Ok(())
    }

    /// Translates `x = test or statement`.
    fn alternative(&mut self, test: ExprId, done: ExprId, out: &mut Vec<Expr>) -> Lowered<()> {
        let test = build::not(self.first_condition(test, out)?);
        self.hoist(&[done], out);
        let then = self.inner(done, false)?;
        if !then.statements.iter().all(build::only_reads) {
            out.push(build::expr(ExprKind::If { branches: vec![(condition(test), then)], otherwise: None }));
        }
        Ok(())
    }

    /// Returns whether an expression is a call of `raise` or `fail`.
    fn is_raise(&self, id: ExprId) -> bool {
        matches!(self.kind(id), HirKind::Call(call) if call.style != CallStyle::Explicit && matches!(&*call.name, "raise" | "fail"))
    }

    /// Returns whether an operand assigns the variable that is the other operand: `x ||= y`.
    fn is_assignment_of(&self, left: ExprId, right: ExprId) -> bool {
        matches!((self.kind(left), self.kind(right)), (HirKind::Local(a), HirKind::Assign { target: Target::Local(b), .. }) if a == b)
    }

    fn assignment(&mut self, of: LocalRef, value: ExprId, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        let origin = self.origin(value);
        if of.depth > self.depth {
            return self.fail(UntranslatedReason::Form("an assignment to a variable around the block"), origin);
        }
        let denotes = self.facts.get(value).denotes;
        let is_kept = matches!(
            denotes,
            Denotation::Value | Denotation::Path | Denotation::Address | Denotation::OtherResource | Denotation::Resources
        );
        if !is_kept || self.facts.local(of).denotes != denotes {
            return self.fail(UntranslatedReason::Form("a variable for something that is not a value"), origin);
        }
        if let Some(taken) = self.taken_from(value, origin)? {
            out.push(self.assigned(of, taken.value));
            out.push(taken.rest);
        } else {
            let given = match denotes {
                Denotation::Path => self.path(value)?,
                Denotation::Address => self.address(value)?,
                _ => self.value_after(value, out)?,
            };
            out.push(self.assigned(of, given));
        }
        if is_value {
            if denotes == Denotation::Address {
                return self.fail(UntranslatedReason::Form("an address as a value"), origin);
            }
            let value = self.local(of, origin)?;
            out.push(value);
        }
        Ok(())
    }

    /// Translates a value. A branch with statements is an expression of the language, too; statements before the value are added to `out`.
    fn value_after(&mut self, id: ExprId, out: &mut Vec<Expr>) -> Lowered {
        self.hoist_late(id, out);
        let origin = self.origin(id);
        let mut statements = Vec::new();
        match self.kind(id) {
            HirKind::Begin(begin) => self.begin(&begin, true, origin, &mut statements)?,
            HirKind::Case(case) => self.case(&case, true, &mut statements)?,
            HirKind::If { condition, then, otherwise } if !self.is_choice([then, otherwise]) => {
                self.branches(condition, then, otherwise, true, &mut statements)?;
            }
            _ => return self.expr(id),
        }
        let last = statements.pop().unwrap_or_else(|| build::expr(ExprKind::Nil));
        out.extend(statements);
        Ok(last)
    }

    /// Returns whether both branches are expressions.
    pub(super) fn is_choice(&self, branches: [ExprId; 2]) -> bool {
        use HirKind::{Assign, Begin, Case, Next, Return, Seq};
        let is_statement = |kind| matches!(kind, Assign { .. } | Begin(_) | Case(_) | Next(_) | Return(_) | Seq(_));
        branches.into_iter().all(|branch| match self.kind(branch) {
            HirKind::If { then, otherwise, .. } => self.is_choice([then, otherwise]),
            kind => !is_statement(kind),
        })
    }

    /// Declares the variables that an expression assigns after it has evaluated something else: `a && (x = b)`.
    pub(super) fn hoist_late(&mut self, id: ExprId, out: &mut Vec<Expr>) {
        let mut assigned = Vec::new();
        self.mentions(id, 0, &mut BTreeMap::new(), &mut assigned);
        let first = self.first_assigned(id);
        for local in assigned.into_iter().filter(|local| Some(*local) != first) {
            if !self.declared.contains(&local) {
                let declaration = self.assigned(LocalRef { depth: 0, local }, build::expr(ExprKind::Nil));
                out.push(declaration);
            }
        }
    }

    /// Returns the variable that Ruby assigns before it evaluates the rest of a condition.
    fn first_assigned(&self, id: ExprId) -> Option<LocalId> {
        match self.kind(id) {
            HirKind::Assign { target: Target::Local(LocalRef { depth: 0, local }), .. } => Some(local),
            HirKind::Not(inner) | HirKind::IsNil(inner) | HirKind::And(inner, _) | HirKind::Or(inner, _) => self.first_assigned(inner),
            _ => None,
        }
    }

    /// Translates `a, b = list`.
    fn destructuring(&mut self, targets: &MultiTarget, value: ExprId, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        let origin = self.origin(value);
        let unsupported = UntranslatedReason::Form("this assignment of several variables");
        let fact = self.facts.get(value);
        if is_value || fact.denotes != Denotation::Value || !targets.after.is_empty() {
            return self.fail(unsupported, origin);
        }
        let list = self.value_after(value, out)?;
        let list = match fact.kinds.without(Kinds::LIST) == Kinds::NONE {
            true => list,
            false => build::call("Array", vec![list]),
        };
        let word = self.name_of_list(targets);
        out.push(build::expr(ExprKind::Let(vec![build::ident(&word)], Box::new(list))));
        let int = |number: usize| build::expr(ExprKind::Int(i64::try_from(number).unwrap_or(i64::MAX)));
        let part = |item: Expr| build::expr(ExprKind::Index(Box::new(name(&word)), vec![item]));
        let before = targets.before.iter().enumerate().map(|(at, target)| (target, part(int(at))));
        let rest = targets.rest.iter().map(|target| {
            let range = ExprKind::Range { from: Some(Box::new(int(targets.before.len()))), to: None, exclusive: false };
            (target, build::binary(BinaryOp::Or, part(build::expr(range)), build::expr(ExprKind::Array(Vec::new()))))
        });
        for (target, value) in before.chain(rest).collect::<Vec<_>>() {
            match target {
                Target::Local(of) if of.depth <= self.depth => out.push(self.assigned(*of, value)),
                Target::Discard => {}
                _ => return self.fail(unsupported, origin),
            }
        }
        Ok(())
    }

    /// Returns a name for the list whose elements variables get.
    fn name_of_list(&self, targets: &MultiTarget) -> String {
        let hir = Arc::clone(&self.hir);
        let first = targets.before.iter().chain(&targets.rest).find_map(|target| match target {
            Target::Local(of) => hir.body(self.body_of(*of)).map(|body| local_name(body, of.local)),
            _ => None,
        });
        let mut word = format!("{}_list", first.unwrap_or_default());
        while hir.bodies.iter().any(|(_, body)| body.locals.iter().any(|(_, local)| *local.name == *word)) {
            word.push('_');
        }
        word
    }

    fn is_resource(&self, id: ExprId) -> bool {
        self.facts.get(id).denotes == Denotation::Resource
    }

    /// Translates `self[:name] = value`.
    fn attribute_assignment(&mut self, args: &CallArgs, value: ExprId, origin: SourceRange) -> Lowered {
        let key = match args.positional.as_slice() {
            [Element::Plain(key)] => self.kind(*key),
            _ => HirKind::Nil,
        };
        let name = match &key {
            HirKind::Symbol(name) => name,
            HirKind::Str { text, .. } => text,
            _ => return self.fail(UntranslatedReason::Form("this assignment"), origin),
        };
        let is_known = self.names.attributes.contains(&**name) || METAPARAMS.contains(&&**name);
        if !self.role.may_assign || !is_known || self.names.methods.contains_key("[]=") {
            return self.fail(UntranslatedReason::Form("an assignment to an attribute"), origin);
        }
        let value = Box::new(self.expr(value)?);
        self.effects.assigns = true;
        Ok(build::expr(ExprKind::Assign { target: Box::new(build::attribute(name)), add: false, value }))
    }

    /// Returns the assignment of a variable. The first assignment declares the variable.
    pub(super) fn assigned(&mut self, of: LocalRef, value: Expr) -> Expr {
        let hir = Arc::clone(&self.hir);
        let word = hir.body(self.body_of(of)).map(|body| local_name(body, of.local)).unwrap_or_default();
        if of.depth == 0 && self.declared.insert(of.local) {
            build::expr(ExprKind::Let(vec![build::ident(&word)], Box::new(value)))
        } else {
            build::expr(ExprKind::Assign { target: Box::new(name(&word)), add: false, value: Box::new(value) })
        }
    }

    /// Returns whether a condition is written on one line, as in `a ? b : c`.
    fn is_ternary(&self, id: ExprId, branches: [ExprId; 2]) -> bool {
        use HirKind::{Assign, Begin, Case, If, Next, Nil, Return, Seq};
        let origin = self.origin(id);
        let is_statement = |kind| matches!(kind, Assign { .. } | Begin(_) | Case(_) | If { .. } | Next(_) | Nil | Return(_) | Seq(_));
        let is_simple = branches.into_iter().all(|branch| !is_statement(self.kind(branch)));
        is_simple && self.hir.line(origin) == self.hir.line(SourceRange { start: origin.end, ..origin })
    }

    pub(super) fn branches(&mut self, test: ExprId, then: ExprId, otherwise: ExprId, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        if matches!(self.kind(then), HirKind::Nil) && !matches!(self.kind(otherwise), HirKind::Nil) {
            self.hoist(&[otherwise], out);
            let test = build::not(self.first_condition(test, out)?);
            let then = self.inner(otherwise, is_value)?;
            out.push(build::expr(ExprKind::If { branches: vec![(condition(test), then)], otherwise: None }));
            return Ok(());
        }
        let mut all = vec![(test, then)];
        let mut last = otherwise;
        while let HirKind::If { condition, then, otherwise } = self.kind(last) {
            // An assignment in a later condition becomes a statement in the last branch.
            if self.begins_with_assignment(condition) {
                break;
            }
            all.push((condition, then));
            last = otherwise;
        }
        let mut bodies: Vec<ExprId> = all.iter().map(|(_, then)| *then).collect();
        bodies.push(last);
        self.hoist(&bodies, out);
        let mut branches = Vec::new();
        for (test, then) in all {
            let test = if branches.is_empty() { self.first_condition(test, out)? } else { self.condition(test)? };
            branches.push((condition(test), self.inner(then, is_value)?));
        }
        let otherwise = match self.kind(last) {
            HirKind::Nil => None,
            _ => Some(self.inner(last, is_value)?),
        };
        out.push(build::expr(ExprKind::If { branches, otherwise }));
        Ok(())
    }

    /// Translates a condition. The assignment of a variable that Ruby evaluates first becomes a statement before: `if (x = f)`.
    fn first_condition(&mut self, id: ExprId, out: &mut Vec<Expr>) -> Lowered {
        self.hoist_late(id, out);
        match self.kind(id) {
            HirKind::Assign { target: Target::Local(of), value } => {
                self.assignment(of, value, false, out)?;
                self.local(of, self.origin(id))
            }
            HirKind::Not(inner) => Ok(build::not(self.first_condition(inner, out)?)),
            HirKind::IsNil(inner) => Ok(build::method(self.first_condition(inner, out)?, "nil?", Vec::new(), None)),
            HirKind::And(left, right) => Ok(build::binary(BinaryOp::And, self.first_condition(left, out)?, self.condition(right)?)),
            HirKind::Or(left, right) => Ok(build::binary(BinaryOp::Or, self.first_condition(left, out)?, self.condition(right)?)),
            _ => self.condition(id),
        }
    }

    fn stores_literal(&self, value: ExprId) -> bool {
        self.hir.body(self.body).is_some_and(|body| is_literal(body, value))
    }

    /// Returns whether Ruby first evaluates the assignment of a variable in a condition.
    fn begins_with_assignment(&self, id: ExprId) -> bool {
        match self.kind(id) {
            HirKind::Assign { .. } => true,
            HirKind::Not(inner) | HirKind::IsNil(inner) | HirKind::And(inner, _) | HirKind::Or(inner, _) => {
                self.begins_with_assignment(inner)
            }
            _ => false,
        }
    }

    /// Returns whether a call only checks an address: `IPAddr.new(value)`.
    fn makes_address(&self, call: &MethodCall) -> bool {
        &*call.name == "new" && self.facts.get(call.receiver).denotes == Denotation::Constant("IPAddr".into())
    }

    /// Returns whether the code is `initialize` of a type.
    fn is_initialize(&self) -> bool {
        self.role.self_object == SelfObject::Resource && self.role.super_is_nothing
    }

    /// Returns whether Puppet's own method does nothing that matters here.
    fn is_nothing(&self, call: &SuperCall) -> bool {
        let is_accepted = !call.is_implicit || self.block.is_none();
        self.role.super_is_nothing && is_accepted && (self.is_initialize() || self.is_plain(&call.args))
    }

    /// Returns whether arguments are only variables.
    fn is_plain(&self, args: &CallArgs) -> bool {
        args.positional.iter().all(|arg| matches!(arg, Element::Plain(id) if matches!(self.kind(*id), HirKind::Local(_))))
    }

    pub(super) fn case(&mut self, case: &Case, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        let origin = self.origin(case.otherwise);
        let bodies: Vec<ExprId> = case.arms.iter().map(|arm| arm.body).chain([case.otherwise]).collect();
        self.hoist(&bodies, out);
        let Some(subject) = case.subject else { return self.conditions(case, is_value, out) };
        if self.facts.get(subject).denotes != Denotation::Value {
            return self.fail(UntranslatedReason::Form("this `case`"), origin);
        }
        let subject = self.expr(subject)?;
        let mut arms = Vec::new();
        for arm in &case.arms {
            let mut patterns = Vec::new();
            for pattern in &arm.conditions {
                patterns.extend(self.pattern(pattern)?);
            }
            arms.push(self.arm(patterns, arm.body, is_value)?);
        }
        arms.push(self.arm(vec![name("_")], case.otherwise, is_value)?);
        out.push(build::expr(ExprKind::Match(Box::new(subject), arms)));
        Ok(())
    }

    fn arm(&mut self, patterns: Vec<Expr>, body: ExprId, is_value: bool) -> Lowered<Arm> {
        let mut body = self.inner(body, is_value)?;
        if body.statements.is_empty() {
            body.statements.push(build::expr(ExprKind::Nil));
        }
        let is_simple = |e: &Expr| !matches!(e.kind, ExprKind::If { .. } | ExprKind::Let(..) | ExprKind::Assign { .. } | ExprKind::Map(_));
        let braces = !matches!(body.statements.as_slice(), [only] if is_simple(only));
        Ok(Arm { patterns, guard: None, body, braces, span: Span::NONE })
    }

    /// `case` without a subject.
    fn conditions(&mut self, case: &Case, is_value: bool, out: &mut Vec<Expr>) -> Lowered<()> {
        let mut branches = Vec::new();
        for arm in &case.arms {
            let mut test: Option<Expr> = None;
            for condition in &arm.conditions {
                let Element::Plain(id) = condition else {
                    return self.fail(UntranslatedReason::Form("this `when`"), self.origin(arm.body));
                };
                let next = self.condition(*id)?;
                test = Some(match test {
                    None => next,
                    Some(before) => build::binary(BinaryOp::Or, before, next),
                });
            }
            let Some(test) = test else { continue };
            branches.push((condition(test), self.inner(arm.body, is_value)?));
        }
        let otherwise = match self.kind(case.otherwise) {
            HirKind::Nil => None,
            _ => Some(self.inner(case.otherwise, is_value)?),
        };
        out.push(build::expr(ExprKind::If { branches, otherwise }));
        Ok(())
    }

    /// Translates a pattern of `when`: a literal, a regex or a class of values.
    pub(crate) fn pattern(&mut self, pattern: &Element) -> Lowered<Vec<Expr>> {
        let (Element::Plain(id) | Element::Splat(id)) = pattern;
        let origin = self.origin(*id);
        let value = match (pattern, self.facts.get(*id).denotes) {
            (Element::Splat(_), Denotation::Constant(path)) => {
                let value = self.run.constant_in(self.class, &path);
                match self.constant(&value) {
                    Some(value) => value,
                    None => return self.fail(UntranslatedReason::Constant(path), origin),
                }
            }
            (Element::Plain(_), Denotation::Constant(path)) => match super::classes::data_type(&path) {
                Some(data_type) => return Ok(vec![name(data_type)]),
                None => self.expr(*id)?,
            },
            _ => self.expr(*id)?,
        };
        let is_literal = |e: &Expr| {
            use ExprKind::{Bool, Int, Nil, Regex, Str, Symbol};
            match &e.kind {
                Nil | Bool(_) | Int(_) | Symbol(_) | Regex(_) => true,
                Str(text) => text.plain().is_some(),
                _ => false,
            }
        };
        match (pattern, value.kind) {
            (Element::Splat(_), ExprKind::Array(items)) if items.iter().all(is_literal) => Ok(items),
            (Element::Plain(_), kind) if is_literal(&build::expr(kind.clone())) => Ok(vec![build::expr(kind)]),
            _ => self.fail(UntranslatedReason::Form("this `when`"), origin),
        }
    }

    /// Declares the variables that branches assign and that other code reads.
    pub(super) fn hoist(&mut self, bodies: &[ExprId], out: &mut Vec<Expr>) {
        let hir = Arc::clone(&self.hir);
        let Some(body) = hir.body(self.body) else { return };
        let mut all = BTreeMap::new();
        self.mentions(body.root, 0, &mut all, &mut Vec::new());
        let mut wanted = Vec::new();
        for root in bodies {
            let (mut here, mut assigned) = (BTreeMap::new(), Vec::new());
            self.mentions(*root, 0, &mut here, &mut assigned);
            let escapes = |local: &LocalId| all.get(local) != here.get(local);
            wanted.extend(assigned.into_iter().filter(|local| !self.declared.contains(local) && escapes(local)));
        }
        for local in wanted {
            if !self.declared.contains(&local) {
                let declaration = self.assigned(LocalRef { depth: 0, local }, build::expr(ExprKind::Nil));
                out.push(declaration);
            }
        }
    }

    /// Counts the uses of each variable and lists the assigned variables: of the body (0) or of a body around it.
    pub(super) fn mentions(&self, root: ExprId, beyond: u32, counts: &mut BTreeMap<LocalId, usize>, assigned: &mut Vec<LocalId>) {
        let mut open = vec![(self.body, beyond, HirChild::Expr(root))];
        while let Some((of, depth, child)) = open.pop() {
            match child {
                HirChild::Body(id) => {
                    if let Some(inner) = self.hir.body(id) {
                        open.push((id, depth + 1, HirChild::Expr(inner.root)));
                    }
                }
                HirChild::Expr(id) => {
                    let Some(body) = self.hir.body(of) else { continue };
                    match body.kind(id) {
                        HirKind::Local(used) if used.depth == depth => *counts.entry(used.local).or_default() += 1,
                        HirKind::Assign { target, .. } => {
                            for used in locals_of(target).into_iter().filter(|used| used.depth == depth) {
                                *counts.entry(used.local).or_default() += 1;
                                assigned.push(used.local);
                            }
                        }
                        _ => {}
                    }
                    body.kind(id).each_child(&mut |child| open.push((of, depth, child)));
                }
            }
        }
        assigned.sort_by_key(|local| local.position());
        assigned.dedup();
    }
}

/// Returns the variables that an assignment sets.
fn locals_of(target: &Target) -> Vec<LocalRef> {
    match target {
        Target::Local(of) => vec![*of],
        Target::Multiple(targets) => targets.before.iter().chain(&targets.rest).chain(&targets.after).flat_map(locals_of).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether an expression is a constant value, or a list of constant values.
pub(crate) fn is_literal(body: &HirBody, id: ExprId) -> bool {
    match body.kind(id) {
        HirKind::Nil | HirKind::Bool(_) | HirKind::Integer(_) | HirKind::Str { .. } | HirKind::Symbol(_) => true,
        HirKind::Array(items) => items.iter().all(|item| matches!(item, Element::Plain(id) if is_literal(body, *id))),
        _ => false,
    }
}

pub(crate) fn condition(test: Expr) -> Condition {
    // A brace would begin the block.
    let test = if build::begins_with_brace(&test) { build::expr(ExprKind::Paren(Box::new(test))) } else { test };
    Condition { negated: false, test }
}
