//! A directory for types, with configuration, examples and CI.

use super::{NewFile, NewType};

/// Systems that check a module on every change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ci {
    /// A workflow of GitHub Actions.
    Github,
    /// A GitLab pipeline.
    Gitlab,
    /// Git hooks of pre-commit.
    PreCommit,
}

/// Returns the files of a new module: its type, an example, configuration, README and CI.
pub fn module(new: &NewType, ci: &[Ci], version: &str, width: usize) -> Vec<NewFile> {
    let name = &new.name;
    let mut files: Vec<NewFile> =
        super::type_files(new, false, width).into_iter().map(|file| NewFile { path: format!("types/{}", file.path), ..file }).collect();
    files.push(NewFile::text(format!("examples/{name}.pp"), new.example()));
    files.push(NewFile::text("rtype.toml", "types = [\"types\"]\nprofile = \"strict\"\n"));
    files.push(NewFile::text("README.md", readme(name)));
    for system in ci {
        let (path, text) = match system {
            Ci::Github => (".github/workflows/rtype.yml", include_str!("github.yml")),
            Ci::Gitlab => (".gitlab-ci.yml", include_str!("gitlab.yml")),
            Ci::PreCommit => (".pre-commit-config.yaml", include_str!("pre-commit.yaml")),
        };
        files.push(NewFile::text(path, text.replace("VERSION", version)));
    }
    files
}

fn readme(name: &str) -> String {
    format!(
        "# {name}\n\nTypes for rtype. `types/` contains the types and `types/providers/` their providers; `examples/` contains \
         resources.\n\n```sh\nrtype check .                    # types and examples\nrtype fmt --check types\nrtype test types\n\
         rtype --types types inspect examples/{name}.pp    # compare with this machine; changes nothing\n\
         rtype doc types --format html -o site             # reference pages\n```\n\n\
         To add a type, run `rtype new type NAME`; to add a provider, `rtype new provider NAME --for {name}`.\n\nTo use the types elsewhere, pass \
         `--types DIR` with the path of `types`, or name it in `types` of an `rtype.toml`.\n"
    )
}
