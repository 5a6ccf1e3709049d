//! Rules about declared resources.

super::table! {
    Resource title_repeated => TitleRepeated,
}
