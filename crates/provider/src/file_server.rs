//! Files of a Puppet server, for `puppet:` sources.

use crate::ProviderError;
use rtype_lang::eval::Walk;
use std::fmt::Debug;
use std::io::Read;

/// A server's metadata for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteFile {
    /// Its address: `puppet:///modules/NAME/FILE`.
    pub uri: String,
    /// The path below the file that was asked for; `.` for that file itself.
    pub relative: String,
    /// `file`, `directory` or `link`.
    pub kind: &'static str,
    /// `{sha256}` and so on, followed by digits; of files only.
    pub checksum: Option<String>,
    /// The target of a link.
    pub target: Option<String>,
    /// Owner, group and permissions on the server.
    pub owner: u32,
    /// The group.
    pub group: u32,
    /// The permissions.
    pub mode: u32,
    /// Where the content of exactly this version is, if the server keeps versions.
    pub content_uri: Option<String>,
}

/// A request for the metadata of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileQuery<'a> {
    /// The kind of the checksum: `sha256` and so on.
    pub checksum: &'a str,
    /// Whether links are followed.
    pub follow: bool,
    /// The resource's `source_permissions`. With `ignore`, servers send an owner, a group and permissions that are not the file's.
    pub permissions: &'a str,
}

/// A server for the files of modules.
pub trait FileServer: Debug + Send + Sync {
    /// Returns what is at an address, with a checksum of the wanted kind if the server knows it; `None` if nothing is there.
    ///
    /// # Errors
    /// If the request fails.
    fn look(&self, uri: &str, query: FileQuery<'_>) -> Result<Option<RemoteFile>, ProviderError>;

    /// Returns what is at and below an address, with the owner, group and permissions of each file; `None` if nothing is there.
    ///
    /// # Errors
    /// If the request fails.
    fn walk(&self, uri: &str, how: &Walk) -> Result<Option<Vec<RemoteFile>>, ProviderError>;

    /// Returns a reader for the content of a file. The caller compares the checksum.
    ///
    /// # Errors
    /// If the request fails.
    fn content(&self, file: &RemoteFile) -> Result<Box<dyn Read>, ProviderError>;
}
