//! Rules about what a type consists of: attributes, features, providers, code, words.

super::table! {
    Type default_and_required => DefaultAndRequired,
    Type feature_unused => FeatureUnused,
    Type relation_target_unknown => RelationTargetUnknown,
    Type description_missing => DescriptionMissing,
    Type test_missing => TestMissing,
    Type relation_to_itself => RelationToItself,
    Type feature_never_provided => FeatureNeverProvided,
    Type required_and_readonly => RequiredAndReadonly,
}
