//! Joined paths.

/// Appends to a path like Ruby's `File.join`: with one `/` between both. Slashes at the beginning of `next` are kept.
pub fn push_path(path: &mut String, next: &str) {
    if next.starts_with('/') {
        path.truncate(path.trim_end_matches('/').len());
    } else if !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(next);
}

#[cfg(test)]
mod tests {
    use super::push_path;

    #[test]
    fn paths_are_joined_as_in_ruby() {
        // Results in Ruby 3.1.
        let rows: [(&[&str], &str); 12] = [
            (&["a//", "b"], "a//b"),
            (&["a", "//b"], "a//b"),
            (&["a//", "//b"], "a//b"),
            (&["", "b"], "/b"),
            (&["a", ""], "a/"),
            (&["", ""], "/"),
            (&["a", "", "b"], "a/b"),
            (&["/", "/"], "/"),
            (&["a/", "", "/b"], "a/b"),
            (&["a/", "//"], "a//"),
            (&["/", "a"], "/a"),
            (&["//", "//a"], "//a"),
        ];
        for (parts, joined) in rows {
            let mut path = parts[0].to_owned();
            parts[1..].iter().for_each(|next| push_path(&mut path, next));
            assert_eq!(path, joined, "{parts:?}");
        }
    }
}
