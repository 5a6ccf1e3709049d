//! Rules about values: allowed values, canonicalization, parsing of titles.

mod patterns;
mod possible;
mod reads;
mod trial;

pub(super) use nil_in_compare::{Mistake, mistakes};

super::table! {
    Type title_pattern_unanchored => TitlePatternUnanchored,
    Type title_pattern_partial => TitlePatternPartial,
    Type title_pattern_unreachable => TitlePatternUnreachable,
    Type regex_unanchored => RegexUnanchored,
    Type regex_line_anchors => RegexLineAnchors,
    Type regex_trailing_newline => RegexTrailingNewline,
    Type regex_alternation_precedence => RegexAlternationPrecedence,
    Type regex_accepts_everything => RegexAcceptsEverything,
    Type catch_all_beside_literals => CatchAllBesideLiterals,
    Type value_shadowed => ValueShadowed,
    Type default_reads_later_attribute => DefaultReadsLaterAttribute,
    Type namevar_with_default => NamevarWithDefault,
    Type stringly_boolean => StringlyBoolean,
    Type ensure_conventions => EnsureConventions,
    Type validate_overrides_values => ValidateOverridesValues,
    Type munge_drops_aliases => MungeDropsAliases,
    Type munge_not_idempotent => MungeNotIdempotent,
    Type munge_escapes_values => MungeEscapesValues,
    Type munge_may_fail => MungeMayFail,
    Type validate_reads_other_attribute => ValidateReadsOtherAttribute,
    Type rule_unsatisfiable => RuleUnsatisfiable,
    Type array_compare_unspecified => ArrayCompareUnspecified,
    Type compare_missing => CompareMissing,
    Type regex_backtracking => RegexBacktracking,
    Type regex_never_matches => RegexNeverMatches,
    Type list_compare_without_all => ListCompareWithoutAll,
    Type value_outside_type => ValueOutsideType,
    Type readonly_with_default => ReadonlyWithDefault,
    Type namevar_not_in_title => NamevarNotInTitle,
    Type validate_without_fail => ValidateWithoutFail,
    Type capture_without_group => CaptureWithoutGroup,
    Type nil_in_compare => NilInCompare,
}
