//! Titles on the machine, for completion. A separate thread reads them, so that a key press never waits for long.

use rtype_lang::types::TypeDef;
use rtype_lang::value::EcoString;
use rtype_provider::{Machine, NativeProviders};
use rtype_system::process;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The maximum waiting time of a key press. Titles that arrive later are available at the next key press.
const PATIENCE: Duration = Duration::from_millis(300);

/// The time after which titles are read again.
const FRESH: Duration = Duration::from_secs(30);

/// The maximum number of titles kept.
const MOST: usize = 10_000;

/// Titles by type.
#[derive(Default)]
pub(super) struct Titles {
    known: HashMap<String, KnownTitles>,
}

#[derive(Default)]
struct KnownTitles {
    names: Vec<EcoString>,
    read_at: Option<Instant>,
    coming: Option<Receiver<Vec<EcoString>>>,
}

impl Titles {
    /// Returns the titles of a type; empty if the machine takes too long.
    pub fn of(&mut self, type_def: &Arc<TypeDef>, natives: &NativeProviders, machine: &Machine) -> Vec<EcoString> {
        let known = self.known.entry(type_def.name.to_string()).or_default();
        let is_fresh = known.read_at.is_some_and(|at| at.elapsed() < FRESH);
        if !is_fresh && known.coming.is_none() {
            let (sender, receiver) = channel();
            let (type_def, natives, machine) = (Arc::clone(type_def), natives.clone(), machine.clone());
            let reading = std::thread::Builder::new().name("titles".to_owned()).spawn(move || {
                let mut names = rtype_engine::titles(&type_def, &natives, &machine);
                names.truncate(MOST);
                // The receiver may be gone, because the session has ended.
                let _ = sender.send(names);
            });
            known.coming = reading.is_ok().then_some(receiver);
        }
        // Return older titles instead of waiting.
        let patience = if known.names.is_empty() { PATIENCE } else { Duration::from_millis(20) };
        if let Some(names) = known.coming.as_ref().and_then(|r| r.recv_timeout(patience).ok()) {
            *known = KnownTitles { names, read_at: Some(process::now()), coming: None };
        }
        known.names.clone()
    }
}
