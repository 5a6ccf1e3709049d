//! Every command of the README is run and its output compared.
#![allow(missing_docs, reason = "tests")]

#[test]
fn the_readme_tells_the_truth() {
    trycmd::TestCases::new().case("README.md");
}
