//! Files of modules on the server.
//!
//! Follows Puppet 7.23's `lib/puppet/http/service/compiler.rb`, `fileserver.rb` and `lib/puppet/type/file/source.rb`; for static catalogs
//! `lib/puppet/indirector/catalog/compiler.rb`.

use crate::client::{Client, encoded};
use crate::error::AgentError;
use crate::metadata::{FileKind, FileMetadata};
use rtype_lang::eval::Walk;
use rtype_provider::{FileServer, ProviderError, RemoteFile};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

/// How many files may be below a directory, since each becomes a resource.
const MOST: usize = 100_000;

/// The files of modules on the server of an agent, in one environment.
#[derive(Debug)]
pub struct PuppetFiles {
    client: Arc<Client>,
    environment: String,
    /// The version of the code that a static catalog was made of.
    code: Option<String>,
    /// What is known without a question: from a static catalog, and from directories that have been listed.
    known: Mutex<HashMap<String, RemoteFile>>,
}

impl PuppetFiles {
    /// Serves the sources of a catalog. What a static catalog says of its files is not asked again.
    pub fn new(client: Arc<Client>, environment: &str, catalog: &Json) -> PuppetFiles {
        let mut known = HashMap::new();
        let single = catalog.get("metadata").and_then(Json::as_object).into_iter().flatten().map(|(_, metadata)| (None, metadata));
        let recursive = catalog.get("recursive_metadata").and_then(Json::as_object).into_iter().flatten();
        let below = recursive.filter_map(|(_, sources)| sources.as_object()).flatten();
        let below = below.flat_map(|(source, all)| all.as_array().into_iter().flatten().map(move |one| (Some(source.as_str()), one)));
        for (source, metadata) in single.chain(below) {
            let Ok(metadata) = FileMetadata::deserialize(metadata) else { continue };
            let base = source.or(metadata.source.as_deref());
            if let Some(file) = base.and_then(|base| remote_file(base, &metadata)) {
                known.insert(file.uri.clone(), file);
            }
        }
        let code = catalog.get("code_id").and_then(Json::as_str).map(str::to_owned);
        PuppetFiles { client, environment: environment.to_owned(), code, known: Mutex::new(known) }
    }

    fn query(&self, checksum: &str, follow: bool) -> String {
        let links = if follow { "follow" } else { "manage" };
        let environment = encoded(&self.environment);
        format!("environment={environment}&checksum_type={checksum}&links={links}&source_permissions=ignore")
    }

    fn known(&self, uri: &str) -> Option<RemoteFile> {
        self.known.lock().ok()?.get(uri).cloned()
    }
}

/// Returns mount and path of `puppet:///MOUNT/PATH`. Other servers than the agent's own are not asked: their certificate may be another CA's.
fn path_of(uri: &str) -> Result<&str, ProviderError> {
    let rest = uri.strip_prefix("puppet:").unwrap_or(uri);
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.split_once('/').filter(|(host, _)| host.is_empty()).map(|(_, path)| path),
        None => Some(rest.trim_start_matches('/')),
    };
    let path = path.ok_or_else(|| {
        ProviderError::new(format!("`{uri}` names a server of its own"))
            .help("write `puppet:///modules/NAME/FILE`: the agent's server is asked")
    })?;
    if path.split('/').any(|part| part == "..") {
        return Err(ProviderError::new(format!("`{uri}`: a source has no `..` in it")));
    }
    Ok(path)
}

/// Reads what the server says of a file at or below `base`.
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
    fn look(&self, uri: &str, checksum: &str, follow: bool) -> Result<Option<RemoteFile>, ProviderError> {
        let path = path_of(uri)?;
        let fits = |file: &RemoteFile| file.checksum.as_ref().is_none_or(|sum| sum.starts_with(&format!("{{{checksum}}}")));
        if let Some(file) = self.known(uri).filter(fits) {
            return Ok(Some(file));
        }
        let metadata = self.client.file_metadata(path, &self.query(checksum, follow)).map_err(|e| failed(&e))?;
        Ok(metadata.and_then(|metadata| remote_file(uri, &metadata)))
    }

    fn walk(&self, uri: &str, how: &Walk) -> Result<Option<Vec<RemoteFile>>, ProviderError> {
        let path = path_of(uri)?;
        let mut query = format!("{}&recurse=true&max_files=0", self.query("sha256", how.follow));
        if let Some(depth) = how.depth {
            query.push_str(&format!("&recurselimit={depth}"));
        }
        for pattern in &how.ignore {
            query.push_str(&format!("&ignore={}", encoded(pattern)));
        }
        let Some(found) = self.client.file_metadatas(path, &query).map_err(|e| failed(&e))? else { return Ok(None) };
        let mut files: Vec<RemoteFile> = found.iter().filter_map(|one| remote_file(uri, one)).collect();
        if files.len() > MOST {
            return Err(ProviderError::new(format!("there are more than {MOST} files below {uri}")));
        }
        files.sort_by(|a, b| a.relative.cmp(&b.relative));
        if let Ok(mut known) = self.known.lock() {
            known.extend(files.iter().map(|file| (file.uri.clone(), file.clone())));
        }
        Ok(Some(files))
    }

    fn content(&self, file: &RemoteFile) -> Result<Box<dyn Read>, ProviderError> {
        let environment = encoded(&self.environment);
        let content = match (&file.content_uri, &self.code) {
            (Some(uri), Some(code)) => {
                let query = format!("environment={environment}&code_id={}", encoded(code));
                self.client.content(&format!("static_file_content/{}", path_of(uri)?), &query)
            }
            _ => self.client.content(&format!("file_content/{}", path_of(&file.uri)?), &format!("environment={environment}")),
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
        assert_eq!(path_of("puppet:///modules/a/b").unwrap(), "modules/a/b");
        assert!(path_of("puppet:///modules/../x").is_err() && path_of("puppet://other/modules/a").is_err());
        let metadata = json!({"type": "file", "relative_path": "../../etc/shadow", "checksum": {"value": "{md5}1"}});
        assert_eq!(remote_file("puppet:///modules/a", &FileMetadata::deserialize(metadata).unwrap()), None);
    }

    #[test]
    fn directories_have_no_checksum() {
        let metadata = json!({"type": "directory", "relative_path": "sub", "mode": 420, "checksum": {"value": "{ctime}x"}});
        let file = remote_file("puppet:///modules/a/", &FileMetadata::deserialize(metadata).unwrap()).unwrap();
        assert_eq!((file.uri.as_str(), file.checksum, file.mode), ("puppet:///modules/a/sub", None, 0o644));
    }
}
