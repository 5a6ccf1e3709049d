//! The kinds of changes and their classes.

use serde::Serialize;

/// The effect of a change on users of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Resources that were valid are rejected or have another meaning.
    Breaking,
    /// A block differs, with unknown effects.
    MayBreak,
    /// Something was added, and everything that existed is unchanged.
    Added,
    /// Valid resources remain valid with the same meaning.
    Changed,
}

macro_rules! kinds {
    ($($kind:ident $id:literal $class:ident $text:literal;)*) => {
        /// The kind of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ChangeKind {
            $(#[doc = $text] $kind,)*
        }

        impl ChangeKind {
            /// All kinds, in the order of the documentation.
            pub const ALL: &[ChangeKind] = &[$(ChangeKind::$kind,)*];

            /// Returns the stable name in JSON.
            pub fn id(self) -> &'static str {
                match self { $(ChangeKind::$kind => $id,)* }
            }

            /// Returns the class of the change.
            pub fn class(self) -> Class {
                match self { $(ChangeKind::$kind => Class::$class,)* }
            }

            /// Returns a description of the change.
            pub fn text(self) -> &'static str {
                match self { $(ChangeKind::$kind => $text,)* }
            }
        }
    };
}

kinds! {
    TypeRemoved "type-removed" Breaking "the type is gone";
    TypeAdded "type-added" Added "the type is new";
    NamevarsChanged "namevars-changed" Breaking "other attributes make up the identity";
    IdentityUnique "identity-unique" Breaking "resources of the same identity are refused now";
    IdentityShared "identity-shared" Changed "resources may have the same identity now";
    ListingRemoved "listing-removed" Breaking "its resources can no longer be listed";
    ListingAdded "listing-added" Added "its resources can be listed";
    TitleRefused "title-refused" Breaking "a title that was understood no longer is";
    TitleReadDifferently "title-read-differently" Breaking "a title gives other values";
    TitlesWider "titles-wider" Added "more titles are understood";
    TitlesChanged "titles-changed" MayBreak "titles are read by other patterns";
    FeatureRemoved "feature-removed" Breaking "the feature is gone";
    FeatureAdded "feature-added" Added "the feature is new";
    FeatureMethodsChanged "feature-methods-changed" MayBreak "the feature asks providers for other methods";
    RelationAdded "relation-added" Changed "an automatic relation is new";
    RelationRemoved "relation-removed" Changed "an automatic relation is gone";
    RelationChanged "relation-changed" Changed "an automatic relation is found in another way";
    SelfRefreshChanged "self-refresh-changed" MayBreak "whether a change refreshes the resource itself is another";
    AttributeRemoved "attribute-removed" Breaking "the attribute is gone";
    AttributeAdded "attribute-added" Added "the attribute is new";
    AttributeAddedRequired "attribute-added-required" Breaking "the attribute is new and must be given";
    RoleChanged "role-changed" Breaking "it is another sort of attribute";
    RequiredAdded "required-added" Breaking "it must be given now";
    RequiredLifted "required-lifted" Changed "it need not be given any more";
    ReadonlyAdded "readonly-added" Breaking "it cannot be set any more";
    ReadonlyLifted "readonly-lifted" Changed "it can be set now";
    SensitiveRemoved "sensitive-removed" Breaking "its value is no longer kept secret";
    SensitiveAdded "sensitive-added" Changed "its value is kept secret now";
    ValueRemoved "value-removed" Breaking "a value is gone";
    ValueAdded "value-added" Added "a value is new";
    ValueFolded "value-folded" MayBreak "a value of its own is now one of several";
    ValuesIntroduced "values-introduced" Breaking "only listed values are allowed now";
    ValuesLifted "values-lifted" MayBreak "values are no longer listed: any is allowed, and stays text";
    ValuePatternStricter "value-pattern-stricter" Breaking "a regex of the values allows less";
    ValuePatternWider "value-pattern-wider" Added "a regex of the values allows more";
    ValuePatternChanged "value-pattern-changed" MayBreak "a regex of the values is another";
    ValueFeatureAdded "value-feature-added" Breaking "a value needs a feature of the provider";
    ValueFeatureLifted "value-feature-lifted" Changed "a value no longer needs a feature";
    ValueEventChanged "value-event-changed" Changed "setting a value gives another event";
    AliasRemoved "alias-removed" Breaking "another name of a value is gone";
    AliasAdded "alias-added" Added "a value has another name";
    AliasChanged "alias-changed" Breaking "a name stands for another value";
    PatternStricter "pattern-stricter" Breaking "`matches` allows less";
    PatternWider "pattern-wider" Changed "`matches` allows more";
    PatternChanged "pattern-changed" MayBreak "`matches` is another regex";
    DataTypeNarrower "data-type-narrower" Breaking "the data type allows less";
    DataTypeWider "data-type-wider" Changed "the data type allows more";
    DataTypeChanged "data-type-changed" MayBreak "the data type is another";
    DefaultAdded "default-added" Breaking "it has a default now";
    DefaultRemoved "default-removed" Breaking "the default is gone";
    DefaultChanged "default-changed" Breaking "the default is another";
    DefaultBlockChanged "default-block-changed" MayBreak "the default is computed in another way";
    ArrayMatchingChanged "array-matching-changed" Breaking "several wanted values are meant in another way";
    ComparisonChanged "comparison-changed" Breaking "it is compared in another way";
    FeatureNeeded "feature-needed" Breaking "it needs a feature of the provider";
    FeatureLifted "feature-lifted" Changed "it no longer needs a feature";
    ValidationAdded "validation-added" MayBreak "a check is new and may refuse what was fine";
    ValidationRemoved "validation-removed" Changed "a check is gone";
    ValidationChanged "validation-changed" MayBreak "a check is another";
    MungeChanged "munge-changed" MayBreak "the canonical form may be another";
    NativeKindChanged "native-kind-changed" MayBreak "the kind or an option of it is another";
    BlockChanged "block-changed" MayBreak "a block is another";
    MessagesChanged "messages-changed" Changed "changes are worded in another way";
    Deprecated "deprecated" Changed "it is deprecated";
    DeprecationLifted "deprecation-lifted" Changed "it is no longer deprecated";
    DocChanged "doc-changed" Changed "the description is another";
    ProviderRemoved "provider-removed" Breaking "the provider is gone";
    ProviderRenamed "provider-renamed" Breaking "the provider has another name";
    ProviderAdded "provider-added" Added "the provider is new";
    ProviderFeatureRemoved "provider-feature-removed" Breaking "the provider lost a feature";
    ProviderFeatureAdded "provider-feature-added" Added "the provider has another feature";
    ConfineStricter "confine-stricter" Breaking "the provider fits fewer machines";
    ConfineLooser "confine-looser" Changed "the provider fits more machines";
    ConfineChanged "confine-changed" MayBreak "the provider fits other machines";
    ProgramNeeded "program-needed" Breaking "the provider needs a program";
    ProgramLifted "program-lifted" Changed "the provider no longer needs a program";
    ProgramChanged "program-changed" MayBreak "a program of the provider is another";
    PreferenceChanged "preference-changed" MayBreak "the provider is preferred elsewhere";
    ProviderWorkChanged "provider-work-changed" MayBreak "the provider works in another way";
}
