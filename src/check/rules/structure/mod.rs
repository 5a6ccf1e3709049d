//! Rules about what a type consists of: attributes, features, providers, code, words.

super::table! {
    Type default_and_required => DefaultAndRequired,
    Type feature_unused => FeatureUnused,
    Type feature_without_methods => FeatureWithoutMethods,
    Type provider_attribute_gap => ProviderAttributeGap,
    Type provider_never_suitable => ProviderNeverSuitable,
    Type default_provider_ambiguous => DefaultProviderAmbiguous,
    Type relation_target_unknown => RelationTargetUnknown,
    Type description_missing => DescriptionMissing,
    Type comparison_never_true => ComparisonNeverTrue,
    File unused_definition => UnusedDefinition,
    File unreachable_code => UnreachableCode,
    Type test_missing => TestMissing,
    File constant_condition => ConstantCondition,
    Type relation_to_itself => RelationToItself,
    Type feature_never_provided => FeatureNeverProvided,
    Type required_and_readonly => RequiredAndReadonly,
    File repeated_directive => RepeatedDirective,
}
