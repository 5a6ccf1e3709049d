//! Module files on the server.
//!
//! Follows Puppet 7.23's `lib/puppet/http/service/compiler.rb`, `fileserver.rb` and `lib/puppet/type/file/source.rb`; for static catalogs
//! `lib/puppet/indirector/catalog/compiler.rb`.

use crate::catalog::titles_with_permissions;
use crate::client::{Client, encoded};
use crate::error::AgentError;
use crate::metadata::{FileKind, FileMetadata};
use rtype_lang::eval::Walk;
use rtype_provider::{FileQuery, FileServer, ProviderError, RemoteFile};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

/// Module files on the agent's server, in one environment.
#[derive(Debug)]
pub struct PuppetFiles {
    client: Arc<Client>,
    environment: String,
    /// The code version of a static catalog.
    code: Option<String>,
    /// Metadata from a static catalog and from listed directories. The key is the address and a flag: true if owner, group and permissions
    /// are the file's.
    known: Mutex<HashMap<(String, bool), RemoteFile>>,
}

impl PuppetFiles {
    /// Serves a catalog's sources. Metadata in a static catalog is used without a request to the server.
    pub fn new(client: Arc<Client>, environment: &str, catalog: &Json) -> PuppetFiles {
        let mut known = HashMap::new();
        let with_permissions = titles_with_permissions(catalog);
        let object = |key: &str| catalog.get(key).and_then(Json::as_object).into_iter().flatten();
        let single = object("metadata").map(|(title, metadata)| (title, None, metadata));
        let below = object("recursive_metadata").flat_map(|(title, sources)| {
            let sources = sources.as_object().into_iter().flatten();
            sources.flat_map(move |(source, all)| all.as_array().into_iter().flatten().map(move |one| (title, Some(source.as_str()), one)))
        });
        for (title, source, metadata) in single.chain(below) {
            let Ok(metadata) = FileMetadata::deserialize(metadata) else { continue };
            let base = source.or(metadata.source.as_deref());
            if let Some(file) = base.and_then(|base| remote_file(base, &metadata)) {
                known.insert((file.uri.clone(), with_permissions.contains(title.as_str())), file);
            }
        }
        let code = catalog.get("code_id").and_then(Json::as_str).map(str::to_owned);
        PuppetFiles { client, environment: environment.to_owned(), code, known: Mutex::new(known) }
    }

    fn query(&self, query: FileQuery<'_>) -> String {
        let FileQuery { checksum, follow, permissions } = query;
        let links = if follow { "follow" } else { "manage" };
        let environment = encoded(&self.environment);
        format!("environment={environment}&checksum_type={checksum}&links={links}&source_permissions={permissions}")
    }

    /// Returns a file's known metadata. `permissions` requests the owner and mode on the server.
    fn known(&self, uri: &str, permissions: bool) -> Option<RemoteFile> {
        let known = self.known.lock().ok()?;
        let entry = |permissions: bool| known.get(&(uri.to_owned(), permissions)).cloned();
        entry(permissions).or_else(|| entry(true))
    }

    fn path_of<'a>(&self, uri: &'a str) -> Result<&'a str, ProviderError> {
        path_of(uri, self.client.server())
    }
}

/// Returns the mount and path of `puppet:///MOUNT/PATH`. The address may name the agent's own server. Other servers get no requests,
/// because their certificate may come from another CA.
fn path_of<'a>(uri: &'a str, (server, port): &(String, u16)) -> Result<&'a str, ProviderError> {
    let is_own = |named: &str| {
        let (name, of) = named.split_once(':').unwrap_or((named, ""));
        name.eq_ignore_ascii_case(server) && (of.is_empty() || of.parse() == Ok(*port))
    };
    let rest = uri.strip_prefix("puppet:").unwrap_or(uri);
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.split_once('/').filter(|(host, _)| host.is_empty() || is_own(host)).map(|(_, path)| path),
        None => Some(rest.trim_start_matches('/')),
    };
    let path = path.ok_or_else(|| {
        ProviderError::new(format!("`{uri}` is on another server than `{server}:{port}`"))
            .help("write `puppet:///modules/NAME/FILE`: the agent's server is asked")
    })?;
    if path.split('/').any(|part| part == "..") {
        return Err(ProviderError::new(format!("`{uri}`: a source has no `..` in it")));
    }
    Ok(path)
}

/// Converts the server's metadata for a file at or below `base`.
fn remote_file(base: &str, metadata: &FileMetadata) -> Option<RemoteFile> {
    let number = |given: Option<u64>| given.and_then(|n| u32::try_from(n).ok());
    let kind = match metadata.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Link => "link",
        FileKind::Special => return None,
    };
    let relative = metadata.relative_path()?;
    let uri = if relative == "." { base.to_owned() } else { format!("{}/{relative}", base.trim_end_matches('/')) };
    Some(RemoteFile {
        uri,
        relative: relative.to_owned(),
        kind,
        checksum: metadata.checksum().map(str::to_owned),
        target: metadata.destination.clone(),
        owner: number(metadata.owner).unwrap_or_default(),
        group: number(metadata.group).unwrap_or_default(),
        mode: number(metadata.mode).unwrap_or(0o644) & 0o7777,
        content_uri: metadata.content_uri.clone(),
    })
}

fn failed(error: &AgentError) -> ProviderError {
    let help = error.help();
    let error = ProviderError::new(error.to_string());
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

impl FileServer for PuppetFiles {
    fn look(&self, uri: &str, query: FileQuery<'_>) -> Result<Option<RemoteFile>, ProviderError> {
        let path = self.path_of(uri)?;
        let fits = |file: &RemoteFile| file.checksum.as_ref().is_none_or(|sum| sum.starts_with(&format!("{{{}}}", query.checksum)));
        if let Some(file) = self.known(uri, query.permissions != "ignore").filter(fits) {
            return Ok(Some(file));
        }
        let metadata = self.client.file_metadata(path, &self.query(query)).map_err(|e| failed(&e))?;
        Ok(metadata.and_then(|metadata| remote_file(uri, &metadata)))
    }

    fn walk(&self, uri: &str, how: &Walk) -> Result<Option<Vec<RemoteFile>>, ProviderError> {
        let path = self.path_of(uri)?;
        // The metadata is cached for single-file resources.
        let query = FileQuery { checksum: "sha256", follow: how.follow, permissions: "use" };
        let mut query = format!("{}&recurse=true&max_files=0", self.query(query));
        if let Some(depth) = how.depth {
            query.push_str(&format!("&recurselimit={depth}"));
        }
        for pattern in &how.ignore {
            query.push_str(&format!("&ignore={}", encoded(pattern)));
        }
        let Some(found) = self.client.file_metadatas(path, &query).map_err(|e| failed(&e))? else { return Ok(None) };
        let mut files: Vec<RemoteFile> = found.iter().filter_map(|one| remote_file(uri, one)).collect();
        files.sort_by(|a, b| a.relative.cmp(&b.relative));
        if let Ok(mut known) = self.known.lock() {
            known.extend(files.iter().map(|file| ((file.uri.clone(), true), file.clone())));
        }
        Ok(Some(files))
    }

    fn content(&self, file: &RemoteFile) -> Result<Box<dyn Read>, ProviderError> {
        let environment = encoded(&self.environment);
        let content = match (&file.content_uri, &self.code) {
            (Some(uri), Some(code)) => {
                let query = format!("environment={environment}&code_id={}", encoded(code));
                self.client.content(&format!("static_file_content/{}", self.path_of(uri)?), &query)
            }
            _ => self.client.content(&format!("file_content/{}", self.path_of(&file.uri)?), &format!("environment={environment}")),
        };
        content.map(|content| Box::new(content) as Box<dyn Read>).map_err(|e| failed(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_stay_below_their_mount() {
        let server = ("Puppet".to_owned(), 8140);
        assert_eq!(path_of("puppet:///modules/a/b", &server).unwrap(), "modules/a/b");
        assert!(path_of("puppet:///modules/../x", &server).is_err() && path_of("puppet://puppet/modules/../x", &server).is_err());
        let metadata = json!({"type": "file", "relative_path": "../../etc/shadow", "checksum": {"value": "{md5}1"}});
        assert_eq!(remote_file("puppet:///modules/a", &FileMetadata::deserialize(metadata).unwrap()), None);
    }

    #[test]
    fn source_may_name_the_server_of_the_agent() {
        let server = ("Puppet".to_owned(), 8140);
        for own in ["puppet://puppet/modules/a", "puppet://puppet:8140/modules/a"] {
            assert_eq!(path_of(own, &server).unwrap(), "modules/a");
        }
        for other in ["puppet://other/modules/a", "puppet://puppet:8141/modules/a", "puppet://puppet:x/modules/a"] {
            let error = path_of(other, &server).unwrap_err().describe(&rtype_lang::redact::Redactor::new());
            assert!(error.contains("is on another server than"), "{error}");
        }
    }

    #[test]
    fn directories_have_no_checksum() {
        let metadata = json!({"type": "directory", "relative_path": "sub", "mode": 420, "checksum": {"value": "{ctime}x"}});
        let file = remote_file("puppet:///modules/a/", &FileMetadata::deserialize(metadata).unwrap()).unwrap();
        assert_eq!((file.uri.as_str(), file.checksum, file.mode), ("puppet:///modules/a/sub", None, 0o644));
    }
}
