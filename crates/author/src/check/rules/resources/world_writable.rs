//! What it does: Reports modes that let every user write, without the sticky bit.
//!
//! Why: Every user can then change the file, or replace files in the directory. With the sticky bit, as in `/tmp`, only the
//! owner of a file can replace it. Links have no mode of their own.
//!
//! Example:
//!
//! ```puppet
//! file { '/srv/drop':
//!   ensure => directory,
//!   mode   => '0777',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/srv/drop':
//!   ensure => directory,
//!   mode   => '1777',
//! }
//! ```

use super::{given, is_absent, open_values};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::value::mode::mode_of;
use rtype_lang::types::NativeKind;

const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    if is_absent(subject.instance) || subject.instance.get("ensure").is_sym("link") {
        return;
    }
    for (_, attribute, given) in given(subject).filter(|(_, a, _)| a.native == Some(NativeKind::FileMode)) {
        let open = |text: &str| mode_of(text).is_some_and(|m| m & OTHERS_WRITE != 0 && m & STICKY == 0);
        if open_values(given).filter_map(|v| v.as_text()).any(open) {
            let found = sink.finding(given.span, format!("`{}` lets everybody write", attribute.name));
            sink.report(found.help("let a group write, or set the sticky bit of a directory: '1777'"));
        }
    }
}
