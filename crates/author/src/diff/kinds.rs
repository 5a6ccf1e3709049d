//! The kinds of changes and their classes.

use serde::Serialize;

/// A change's effect on the users of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeClass {
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
            pub fn class(self) -> ChangeClass {
                match self { $(ChangeKind::$kind => ChangeClass::$class,)* }
            }

            /// Returns a description of the change.
            pub fn text(self) -> &'static str {
                match self { $(ChangeKind::$kind => $text,)* }
            }
        }
    };
}

kinds! {
    TypeRemoved "type-removed" Breaking "the type was removed";
    TypeAdded "type-added" Added "the type is new";
    NamevarsChanged "namevars-changed" Breaking "other attributes identify resources";
    IdentityUnique "identity-unique" Breaking "resources with the same identity are now rejected";
    IdentityShared "identity-shared" Changed "resources may now have the same identity";
    ListingRemoved "listing-removed" Breaking "its resources can no longer be listed";
    ListingAdded "listing-added" Added "its resources can be listed";
    TitleRefused "title-refused" Breaking "a title is no longer accepted";
    TitleReadDifferently "title-read-differently" Breaking "a title sets other values";
    TitlesWider "titles-wider" Added "more titles are accepted";
    TitlesChanged "titles-changed" MayBreak "the title patterns have changed";
    FeatureRemoved "feature-removed" Breaking "the feature was removed";
    FeatureAdded "feature-added" Added "the feature is new";
    FeatureMethodsChanged "feature-methods-changed" MayBreak "the feature requires other methods";
    RelationAdded "relation-added" Changed "an automatic relation is new";
    RelationRemoved "relation-removed" Changed "an automatic relation was removed";
    RelationChanged "relation-changed" Changed "an automatic relation has changed";
    SelfRefreshChanged "self-refresh-changed" MayBreak "`self_refresh` has changed";
    AttributeRemoved "attribute-removed" Breaking "the attribute was removed";
    AttributeAdded "attribute-added" Added "the attribute is new";
    AttributeAddedRequired "attribute-added-required" Breaking "the attribute is new and required";
    RoleChanged "role-changed" Breaking "it is another kind of attribute";
    RequiredAdded "required-added" Breaking "it is now required";
    RequiredLifted "required-lifted" Changed "it is no longer required";
    ReadonlyAdded "readonly-added" Breaking "it can no longer be set";
    ReadonlyLifted "readonly-lifted" Changed "it can now be set";
    InitOnlyAdded "init-only-added" Breaking "it can only be set when the resource is created";
    InitOnlyLifted "init-only-lifted" Changed "it can be changed after the resource was created";
    SensitiveRemoved "sensitive-removed" Breaking "its value is no longer redacted";
    SensitiveAdded "sensitive-added" Changed "its value is now redacted";
    ValueRemoved "value-removed" Breaking "a value was removed";
    ValueAdded "value-added" Added "a value is new";
    ValueFolded "value-folded" MayBreak "a listed value is now an alias, or matched by a regex";
    ValuesIntroduced "values-introduced" Breaking "only listed values are now allowed";
    ValuesLifted "values-lifted" MayBreak "values are no longer listed: all are allowed, and stay text";
    ValuePatternStricter "value-pattern-stricter" Breaking "a regex of the values allows less";
    ValuePatternWider "value-pattern-wider" Added "a regex of the values allows more";
    ValuePatternChanged "value-pattern-changed" MayBreak "a regex of the values has changed";
    ValueFeatureAdded "value-feature-added" Breaking "a value requires a feature of the provider";
    ValueFeatureLifted "value-feature-lifted" Changed "a value no longer requires a feature";
    ValueEventChanged "value-event-changed" Changed "setting a value causes another event";
    AliasRemoved "alias-removed" Breaking "an alias was removed";
    AliasAdded "alias-added" Added "an alias is new";
    AliasChanged "alias-changed" Breaking "an alias refers to another value";
    PatternStricter "pattern-stricter" Breaking "`matches` allows less";
    PatternWider "pattern-wider" Changed "`matches` allows more";
    PatternChanged "pattern-changed" MayBreak "the regex of `matches` has changed";
    DataTypeNarrower "data-type-narrower" Breaking "the data type allows less";
    DataTypeWider "data-type-wider" Changed "the data type allows more";
    DataTypeChanged "data-type-changed" MayBreak "the data type has changed";
    DefaultAdded "default-added" Breaking "it now has a default";
    DefaultRemoved "default-removed" Breaking "the default was removed";
    DefaultChanged "default-changed" Breaking "the default has changed";
    DefaultBlockChanged "default-block-changed" MayBreak "the computation of the default has changed";
    ArrayMatchingChanged "array-matching-changed" Breaking "the meaning of several desired values has changed";
    ComparisonChanged "comparison-changed" Breaking "the comparison has changed";
    FeatureNeeded "feature-needed" Breaking "it requires a feature of the provider";
    FeatureLifted "feature-lifted" Changed "it no longer requires a feature";
    ValidationAdded "validation-added" MayBreak "a check is new and may reject values";
    ValidationRemoved "validation-removed" Changed "a check was removed";
    ValidationChanged "validation-changed" MayBreak "a check has changed";
    MungeChanged "munge-changed" MayBreak "the conversion has changed";
    NativeKindChanged "native-kind-changed" MayBreak "the kind or one of its options has changed";
    BlockChanged "block-changed" MayBreak "a block has changed";
    MessagesChanged "messages-changed" Changed "the messages of changes have changed";
    Deprecated "deprecated" Changed "it is deprecated";
    DeprecationLifted "deprecation-lifted" Changed "it is no longer deprecated";
    DocChanged "doc-changed" Changed "the description has changed";
    ProviderRemoved "provider-removed" Breaking "the provider was removed";
    ProviderRenamed "provider-renamed" Breaking "the provider has another name";
    ProviderAdded "provider-added" Added "the provider is new";
    ProviderFeatureRemoved "provider-feature-removed" Breaking "the provider no longer has a feature";
    ProviderFeatureAdded "provider-feature-added" Added "the provider has a new feature";
    ConfineStricter "confine-stricter" Breaking "the provider is suitable on fewer machines";
    ConfineLooser "confine-looser" Changed "the provider is suitable on more machines";
    ConfineChanged "confine-changed" MayBreak "the provider is suitable on other machines";
    ProgramNeeded "program-needed" Breaking "the provider requires a program";
    ProgramLifted "program-lifted" Changed "the provider no longer requires a program";
    ProgramChanged "program-changed" MayBreak "a program of the provider has changed";
    PreferenceChanged "preference-changed" MayBreak "the conditions of `defaultfor` have changed";
    ProviderWorkChanged "provider-work-changed" MayBreak "the implementation of the provider has changed";
}
