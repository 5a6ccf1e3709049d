//! The fact `ssh`: the public keys of this machine's SSH server.
//!
//! Follows facter 4.3's `resolvers/ssh.rb` and `util/resolvers/ssh_helper.rb`.

use super::{Facts, map};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rtype_lang::value::{Value, digest};

/// The names of keys: in files, in facts, and as numbers of SSHFP records.
const KEYS: [(&str, u8); 4] = [("dsa", 2), ("ecdsa", 3), ("ed25519", 4), ("rsa", 1)];
/// Where servers have their keys.
const PLACES: [&str; 5] = ["/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh"];

impl Facts<'_> {
    pub(super) fn ssh(self) -> Value {
        let directory = PLACES.into_iter().find(|place| KEYS.iter().any(|(name, _)| self.system.exists(&file(place, name))));
        let Some(directory) = directory else { return Value::Nil };
        map(KEYS.into_iter().filter_map(|(name, number)| Some((name, self.ssh_key(&file(directory, name), number)?))))
    }

    fn ssh_key(self, path: &str, number: u8) -> Option<Value> {
        let text = self.text(path);
        let mut words = text.split_whitespace();
        let (kind, key) = (words.next()?, words.next()?);
        let bytes = STANDARD.decode(key).ok()?;
        let fingerprint =
            |algorithm: &str, code: u8| Some(Value::str(format!("SSHFP {number} {code} {}", digest::hex(algorithm, &bytes)?)));
        let fingerprints = map([("sha1", fingerprint("sha1", 1)?), ("sha256", fingerprint("sha256", 2)?)]);
        Some(map([("fingerprints", fingerprints), ("key", Value::str(key)), ("type", Value::str(kind))]))
    }
}

fn file(directory: &str, name: &str) -> String {
    format!("{directory}/ssh_host_{name}_key.pub")
}
