//! File metadata on a Puppet server.
//!
//! Follows Puppet 7.23's `lib/puppet/file_serving/metadata.rb` and `base.rb`. Unused fields are dropped, because a server describes some
//! thousand files with types and facts in each run.

use serde::Deserialize;
use std::path::{Component, Path};

/// The metadata of a file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FileMetadata {
    /// The kind of the file.
    #[serde(rename = "type")]
    pub kind: FileKind,
    /// The path below the requested file. For the requested file itself, the path is `.` or missing.
    relative_path: Option<String>,
    /// The requested address.
    pub source: Option<String>,
    /// A file content's checksum, or a directory's modification time.
    checksum: Option<Checksum>,
    /// The target of a link.
    pub destination: Option<String>,
    /// The owner's user ID.
    pub owner: Option<u64>,
    /// The group ID.
    pub group: Option<u64>,
    /// The permissions, with the file type bits.
    pub mode: Option<u64>,
    /// The location of the content, for a static catalog's code version.
    pub content_uri: Option<String>,
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A file that an agent cannot copy, such as a socket.
    #[serde(other)]
    Special,
}

#[derive(Clone, Debug, Deserialize)]
struct Checksum {
    value: Option<String>,
}

impl FileMetadata {
    /// Returns the path relative to the requested file, `.` for the requested file. `None` if the path leads out of the requested directory.
    pub fn relative_path(&self) -> Option<&str> {
        let path = self.relative_path.as_deref().unwrap_or(".");
        let is_below = path == "." || Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        (is_below && !path.is_empty()).then_some(path)
    }

    /// Returns a regular file's checksum with the algorithm, such as `{sha256}ab12…`.
    pub fn checksum(&self) -> Option<&str> {
        let checksum = self.checksum.as_ref().filter(|_| self.kind == FileKind::File)?;
        checksum.value.as_deref()
    }
}
