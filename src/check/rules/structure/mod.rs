//! Rules about what a type consists of: attributes, features, providers, code, words.

super::table! {
    Type default_and_required => DefaultAndRequired,
}
