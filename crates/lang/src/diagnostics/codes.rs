//! The table of diagnostic codes. A code is never renumbered or reused.
//!
//! `RT0nn` errors in types, `RT1nn` loading, `RT2nn` syntax, `RT3nn` evaluation of blocks, `RT4nn` external input, `RT5nn` tests,
//! `RM0nn` resources.

use super::{Profile, Severity};

/// The table entry of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code as printed, such as `RT011`.
    pub id: &'static str,
    /// The short name, such as `regex-line-anchors`.
    pub name: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// The smallest profile that reports the code.
    pub profile: Profile,
}

macro_rules! codes {
    ($($variant:ident = $id:literal $severity:ident $($profile:ident)? $name:literal,)*) => {
        /// The stable code of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the table next to each name describes it")]
        pub enum Code { $($variant,)* }

        /// All codes, ordered by ID.
        pub const CODES: &[Code] = &[$(Code::$variant,)*];

        impl Code {
            /// Returns the code with this ID (`RT011`) or name (`regex-line-anchors`), ignoring case.
            pub fn named(text: &str) -> Option<Code> {
                let is = |c: &Code| c.info().id.eq_ignore_ascii_case(text) || c.info().name.eq_ignore_ascii_case(text);
                CODES.iter().copied().find(is)
            }

            /// Returns the table entry of the code.
            pub const fn info(self) -> &'static CodeInfo {
                match self {
                    $(Code::$variant => &CodeInfo {
                        id: $id,
                        name: $name,
                        severity: Severity::$severity,
                        profile: codes!(@profile $severity $($profile)?),
                    },)*
                }
            }
        }
    };
    // By default errors are reported in every profile, warnings from `default` on, and notes only in `strict`.
    (@profile $severity:ident $profile:ident) => { Profile::$profile };
    (@profile Error) => { Profile::Min };
    (@profile Warning) => { Profile::Default };
    (@profile Note) => { Profile::Strict };
}

codes! {
    NamevarMissing = "RT001" Error "namevar-missing",
    NamevarIsProperty = "RT002" Error "namevar-is-property",
    DuplicateAttribute = "RT003" Error "duplicate-attribute",
    ReservedAttribute = "RT004" Error "reserved-attribute",
    TitlePatternsMissing = "RT005" Error "title-patterns-missing",
    TitlePatternUnanchored = "RT006" Warning "title-pattern-unanchored",
    TitlePatternPartial = "RT007" Warning "title-pattern-partial",
    TitlePatternUnreachable = "RT008" Warning "title-pattern-unreachable",
    TitleCaptureMismatch = "RT009" Error "title-capture-mismatch",
    RegexUnanchored = "RT010" Warning "regex-unanchored",
    RegexLineAnchors = "RT011" Warning "regex-line-anchors",
    RegexTrailingNewline = "RT012" Warning "regex-trailing-newline",
    RegexAlternationPrecedence = "RT013" Warning "regex-alternation-precedence",
    RegexAcceptsEverything = "RT014" Note "regex-accepts-everything",
    CatchAllBesideLiterals = "RT015" Warning Strict "catch-all-beside-literals",
    ValueShadowed = "RT016" Warning "value-shadowed",
    DuplicateValue = "RT017" Warning "duplicate-value",
    AliasUnknownValue = "RT018" Error "alias-unknown-value",
    AliasToRegexMatch = "RT019" Error "alias-to-regex-match",
    AliasConflict = "RT020" Error "alias-conflict",
    DefaultNotAllowed = "RT021" Error "default-not-allowed",
    DefaultReadsLaterAttribute = "RT022" Warning "default-reads-later-attribute",
    DefaultAndRequired = "RT023" Note "default-and-required",
    NamevarWithDefault = "RT024" Warning "namevar-with-default",
    StringlyBoolean = "RT025" Warning Strict "stringly-boolean",
    EnsureConventions = "RT026" Warning Strict "ensure-conventions",
    ValidateOverridesValues = "RT027" Warning "validate-overrides-values",
    MungeDropsAliases = "RT028" Warning "munge-drops-aliases",
    MungeNotIdempotent = "RT029" Warning "munge-not-idempotent",
    MungeEscapesValues = "RT030" Warning "munge-escapes-values",
    MungeMayFail = "RT031" Warning Strict "munge-may-fail",
    ValidateReadsOtherAttribute = "RT032" Warning Strict "validate-reads-other-attribute",
    RuleUnsatisfiable = "RT033" Error "rule-unsatisfiable",
    FeatureUndeclared = "RT034" Error "feature-undeclared",
    FeatureUnused = "RT035" Note "feature-unused",
    FeatureWithoutMethods = "RT036" Warning "feature-without-methods",
    ProviderAttributeGap = "RT037" Warning "provider-attribute-gap",
    ProviderNeverSuitable = "RT038" Warning "provider-never-suitable",
    SecretNotMarked = "RT039" Warning "secret-not-marked",
    SecretInIdentity = "RT040" Warning "secret-in-identity",
    ArrayCompareUnspecified = "RT041" Warning Strict "array-compare-unspecified",
    CompareMissing = "RT042" Warning Strict "compare-missing",
    DefaultProviderAmbiguous = "RT043" Warning "default-provider-ambiguous",
    RelationTargetUnknown = "RT044" Warning "relation-target-unknown",
    DescriptionMissing = "RT045" Warning Strict "description-missing",
    ExampleMissing = "RT046" Note "example-missing",
    RegexBacktracking = "RT047" Warning Strict "regex-backtracking",
    UnusedSuppression = "RT048" Warning "unused-suppression",
    Naming = "RT049" Warning "naming",
    ShellInCommand = "RT050" Warning "shell-in-command",
    DefaultRestatedWrong = "RT051" Warning "default-restated-wrong",
    ExampleInvalid = "RT052" Warning "example-invalid",
    StaleBaseline = "RT053" Warning "stale-baseline",
    SuppressionWithoutReason = "RT054" Warning Strict "suppression-without-reason",
    ComparisonNeverTrue = "RT055" Warning "comparison-never-true",
    UnusedDefinition = "RT056" Warning "unused-definition",
    UnreachableCode = "RT057" Warning "unreachable-code",
    TestMissing = "RT058" Note "test-missing",
    ConstantCondition = "RT059" Warning "constant-condition",
    RelationToItself = "RT060" Warning "relation-to-itself",
    NamesTooNear = "RT061" Note "names-too-near",
    RegexNeverMatches = "RT062" Warning "regex-never-matches",
    FeatureNeverProvided = "RT063" Warning "feature-never-provided",
    RequiredAndReadonly = "RT064" Warning "required-and-readonly",
    RepeatedDirective = "RT066" Warning "repeated-directive",
    Untranslated = "RT067" Warning "untranslated",
    NamevarUnread = "RT068" Error "namevar-unread",
    UnknownSetting = "RT069" Error "unknown-setting",
    SettingMissing = "RT070" Error "setting-missing",

    UnknownDirective = "RT101" Error "unknown-directive",
    UnknownOption = "RT102" Error "unknown-option",
    UnknownName = "RT103" Error "unknown-name",
    UnknownKind = "RT104" Error "unknown-kind",
    UnknownAttribute = "RT105" Error "unknown-attribute",
    UnknownMethod = "RT106" Error "unknown-method",
    WrongArity = "RT107" Error "wrong-arity",
    WrongArgument = "RT108" Error "wrong-argument",
    MisplacedDirective = "RT109" Error "misplaced-directive",
    DuplicateDirective = "RT110" Error "duplicate-directive",
    BadRegex = "RT111" Error "bad-regex",
    BadDataType = "RT112" Error "bad-data-type",
    DuplicateItem = "RT113" Error "duplicate-item",
    FileNameMismatch = "RT114" Error "file-name-mismatch",
    UseNotFound = "RT115" Error "use-not-found",
    NotAllowedHere = "RT116" Error "not-allowed-here",
    Refused = "RT117" Error "refused",
    UnknownProvider = "RT118" Error "unknown-provider",
    NativeMismatch = "RT119" Error "native-mismatch",
    FalsySymbol = "RT120" Error "falsy-symbol",
    TypeShadowed = "RT121" Note "type-shadowed",
    MetaparameterShadowed = "RT122" Note "metaparameter-shadowed",
    Deprecated = "RT123" Warning "deprecated",

    ListCompareWithoutAll = "RT160" Warning "list-compare-without-all",
    ValueOutsideType = "RT161" Warning "value-outside-type",
    ReadonlyWithDefault = "RT162" Warning "readonly-with-default",
    NamevarNotInTitle = "RT163" Warning "namevar-not-in-title",
    ValidateWithoutFail = "RT164" Warning "validate-without-fail",
    CaptureWithoutGroup = "RT165" Warning "capture-without-group",
    NilInCompare = "RT166" Warning "nil-in-compare",
    InterpolationInSingleQuotes = "RT167" Warning "interpolation-in-single-quotes",
    DuplicateTest = "RT168" Warning "duplicate-test",
    OperationAlwaysFails = "RT169" Warning "operation-always-fails",
    FactMisspelled = "RT170" Warning "fact-misspelled",
    ValueDiscarded = "RT171" Warning "value-discarded",
    WrongBlockResult = "RT172" Warning "wrong-block-result",
    KeyNeverFound = "RT173" Warning "key-never-found",

    Syntax = "RT201" Error "syntax",
    Unclosed = "RT202" Error "unclosed",
    Unopened = "RT203" Error "unopened",
    RubyBlock = "RT204" Error "ruby-block",
    SymbolInDirective = "RT205" Error "symbol-in-directive",
    WordInExpression = "RT206" Error "word-in-expression",
    HashRocketOption = "RT207" Error "hash-rocket-option",
    MissingComma = "RT208" Error "missing-comma",
    RubyNewtype = "RT209" Error "ruby-newtype",
    RubyOperator = "RT210" Error "ruby-operator",
    RubyRegexFlag = "RT211" Error "ruby-regex-flag",
    BadEscape = "RT212" Error "bad-escape",
    BadNumber = "RT213" Error "bad-number",
    RubyCode = "RT214" Error "ruby-code",
    ChainedComparison = "RT215" Error "chained-comparison",
    NestingTooDeep = "RT220" Error "nesting-too-deep",
    ParseTooLong = "RT221" Error "parse-too-long",
    MoreMistakes = "RT222" Warning "more-mistakes",

    BlockFailed = "RT301" Error "block-failed",
    FuelSpent = "RT302" Error "fuel-spent",
    CallsTooDeep = "RT303" Error "calls-too-deep",
    ValueTooLarge = "RT304" Error "value-too-large",
    WrongReceiver = "RT305" Error "wrong-receiver",
    NoArm = "RT306" Error "no-arm",
    RunFuelSpent = "RT307" Error "run-fuel-spent",

    CannotRead = "RT401" Error "cannot-read",
    NotUtf8 = "RT402" Error "not-utf8",
    NotText = "RT403" Error "not-text",
    NothingToCheck = "RT404" Error "nothing-to-check",
    TooLarge = "RT405" Error "too-large",
    BadInput = "RT406" Error "bad-input",
    BadCommand = "RT407" Error "bad-command",
    BadConfiguration = "RT408" Error "bad-configuration",
    BadSuppression = "RT409" Error "bad-suppression",
    FormatFailed = "RT410" Error "format-failed",
    CannotWrite = "RT411" Error "cannot-write",
    BadRuby = "RT412" Error "bad-ruby",
    UntrustedPath = "RT413" Error "untrusted-path",
    ConfigurationIgnored = "RT414" Note "configuration-ignored",
    OutsideRoot = "RT415" Error "outside-root",
    ImportBudget = "RT420" Error "import-budget",
    MoreFindings = "RT421" Warning "more-findings",
    ImportRunBudget = "RT422" Error "import-run-budget",
    NotImported = "RT423" Error "not-imported",
    RefusedByPuppet = "RT424" Error "refused-by-puppet",

    BadTest = "RT501" Error "bad-test",
    ExpectationFailed = "RT502" Error "expectation-failed",
    NotRejected = "RT503" Error "not-rejected",
    TestRefused = "RT504" Error "test-refused",
    NotStable = "RT505" Error "not-stable",
    ValueNotKept = "RT506" Error "value-not-kept",
    AliasNotKept = "RT507" Error "alias-not-kept",
    DefaultRefused = "RT508" Error "default-refused",
    TitleNotKept = "RT509" Error "title-not-kept",

    UnknownType = "RM001" Error "unknown-type",
    UnknownResourceAttribute = "RM002" Error "unknown-resource-attribute",
    DuplicateResource = "RM003" Error "duplicate-resource",
    FeatureLacking = "RM004" Warning "feature-lacking",
    InvalidValue = "RM005" Error "invalid-value",
    InvalidTitle = "RM006" Error "invalid-title",
    RequiredMissing = "RM007" Error "required-missing",
    InvalidResource = "RM008" Error "invalid-resource",
    NoProvider = "RM009" Error "no-provider",
    UnknownResourceProvider = "RM010" Error "unknown-resource-provider",
    AttributeTwice = "RM011" Error "attribute-twice",
    ReadonlyAttribute = "RM012" Error "readonly-attribute",
    NeedsCompiler = "RM013" Error "needs-compiler",
    ReadFailed = "RM014" Error "read-failed",
    UnknownReference = "RM015" Error "unknown-reference",
    DuplicateAlias = "RM016" Error "duplicate-alias",
    PreRunCheck = "RM017" Error "pre-run-check",
    GenerateFailed = "RM018" Error "generate-failed",
    ModeAsNumber = "RM019" Error "mode-as-number",
    AttributesBesideAbsent = "RM020" Warning "attributes-beside-absent",
    ProbableTypo = "RM021" Warning "probable-typo",
    DependencyCycle = "RM022" Error "dependency-cycle",
    SecretLiteral = "RM023" Warning "secret-literal",
    PurgeWithoutCap = "RM024" Warning Strict "purge-without-cap",
    MovingTarget = "RM025" Note "moving-target",
    UnmanagedParent = "RM026" Note "unmanaged-parent",
    TitleRepeated = "RM027" Note "title-repeated",
    DefaultRestated = "RM028" Note "default-restated",
    RelationRepeated = "RM029" Note "relation-repeated",
    QuotedBoolean = "RM030" Warning Strict "quoted-boolean",
    WorldWritable = "RM031" Warning "world-writable",
    NothingManaged = "RM032" Warning "nothing-managed",
    EnsureMissing = "RM033" Note "ensure-missing",
    CannotApply = "RM034" Error "cannot-apply",
    UncheckedType = "RM035" Warning "unchecked-type",
    NotChecked = "RM036" Note Default "not-checked",
    ValueDropped = "RM037" Warning "value-dropped",
    BlockMessage = "RM038" Warning "block-message",
    TooManyCopies = "RM039" Error "too-many-copies",
    RubyDiffers = "RM040" Warning "ruby-differs",
    UnknownVariable = "RM041" Warning "unknown-variable",
    VariableReassigned = "RM042" Error "variable-reassigned",
    UnusedVariable = "RM043" Note "unused-variable",
    UnknownFact = "RM044" Warning "unknown-fact",
    LegacyFact = "RM045" Warning Strict "legacy-fact",
    UnknownClass = "RM046" Error "unknown-class",
    MissingModuleFile = "RM047" Error "missing-module-file",
    ImpossibleComparison = "RM048" Error "impossible-comparison",
    UnreachableOption = "RM049" Warning "unreachable-option",
    UndeclaredDependency = "RM050" Warning "undeclared-dependency",
    ParameterType = "RM051" Error "parameter-type",
    FunctionArguments = "RM052" Error "function-arguments",
    UnknownFunction = "RM053" Error "unknown-function",
    InvalidDataFile = "RM054" Error "invalid-data-file",
    UnknownDataKey = "RM055" Warning "unknown-data-key",
    InvalidLookupOptions = "RM056" Error "invalid-lookup-options",
    ForeignDataKey = "RM057" Warning "foreign-data-key",
    EvaluationFailed = "RM070" Error "evaluation-failed",
    NotCompiled = "RM071" Error "not-compiled",
    EvaluationLimit = "RM072" Error "evaluation-limit",
    ManifestMessage = "RM073" Warning "manifest-message",
}

impl Code {
    /// Returns `true` if the code reports a syntax error.
    pub fn is_syntax(self) -> bool {
        self.info().id.starts_with("RT2")
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_sorted_within_their_family() {
        let ids: Vec<_> = CODES.iter().map(|c| c.info().id).collect();
        let mut sorted = ids.clone();
        sorted.sort_by_key(|id| (id.starts_with("RM"), *id));
        sorted.dedup();
        assert_eq!(ids, sorted);
    }
}
