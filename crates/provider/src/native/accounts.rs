//! Parses `/etc/passwd`, `/etc/group` and `/etc/shadow` as the C library does.
//!
//! Puppet uses `getpwent`, `getgrent` and `getspnam`; which lines these skip was determined with glibc 2.36. They
//! skip blank lines, comments, NIS entries (`+`, `-`), and lines with a number that is invalid or does not fit 32
//! bits. A carriage return does not end a line: it is part of the last field, as for all programs of the machine.
//! Blanks before the name are ignored.

use crate::system::AccountKey;
use crate::{ProviderError, System};
use std::collections::HashMap;

/// A line of `/etc/passwd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passwd<'a> {
    /// The login name.
    pub(crate) name: &'a str,
    /// The number of the user.
    pub(crate) uid: u32,
    /// The number of the primary group.
    pub(crate) gid: u32,
    /// The comment field, empty if missing.
    pub(crate) gecos: &'a str,
    /// The home directory, empty if missing.
    pub(crate) home: &'a str,
    /// The rest of the line: the login shell.
    pub(crate) shell: &'a str,
}

/// A line of `/etc/group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group<'a> {
    /// The name of the group.
    pub(crate) name: &'a str,
    /// The number of the group.
    pub(crate) gid: u32,
    members: &'a str,
}

/// A line of `/etc/shadow`. Numbers are days; -1 means an empty field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shadow<'a> {
    /// The login name.
    pub(crate) name: &'a str,
    /// The hash, or the text used in its place.
    pub(crate) password: &'a str,
    /// Days a password must be kept.
    pub(crate) min: i32,
    /// Days a password may be used.
    pub(crate) max: i32,
    /// Days of warning before it ends.
    pub(crate) warn: i32,
    /// The day after 1970-01-01 on which the account ends.
    pub(crate) expire: i32,
}

impl<'a> Group<'a> {
    /// Returns the names listed as members, in order, without blanks before them; empty ones are left out.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.members.split(',').map(str::trim_start).filter(|m| !m.is_empty())
    }

    /// Returns whether the user is listed as a member.
    pub(crate) fn lists(&self, user: &str) -> bool {
        self.members().any(|m| m == user)
    }
}

/// The fields of a line, cut off from the left one by one.
struct Fields<'a> {
    rest: &'a str,
}

impl<'a> Fields<'a> {
    /// Returns the next field; empty when the line is used up.
    fn text(&mut self) -> &'a str {
        let (field, rest) = self.rest.split_once(':').unwrap_or((self.rest, ""));
        self.rest = rest;
        field
    }

    /// Parses the next field as a number, `None` if it is not one.
    fn number(&mut self) -> Option<u32> {
        self.text().trim_ascii_start().parse().ok()
    }

    /// Parses the next field as days, -1 if it is empty; `None` at the end of the line or if it is not a number.
    fn days(&mut self) -> Option<i32> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.text();
        if field.is_empty() {
            return Some(-1);
        }
        // The C library keeps 32 bits and then takes them as signed.
        field.trim_ascii_start().parse::<u32>().ok().map(u32::cast_signed)
    }
}

/// Returns the lines that hold an entry, each without the text after a zero byte.
fn entries(text: &str) -> impl Iterator<Item = Fields<'_>> {
    text.split('\n')
        .filter_map(|line| line.split('\0').next())
        .map(|line| line.trim_ascii_start())
        .filter(|line| !line.is_empty() && !line.starts_with(['#', '+', '-']))
        .map(|line| Fields { rest: line })
}

/// Returns the users of `/etc/passwd`, in the file's order.
pub(crate) fn passwd(text: &str) -> impl Iterator<Item = Passwd<'_>> {
    entries(text).filter_map(|mut f| {
        let name = f.text();
        f.text();
        Some(Passwd { name, uid: f.number()?, gid: f.number()?, gecos: f.text(), home: f.text(), shell: f.rest })
    })
}

/// Returns the groups of `/etc/group`, in the file's order.
pub(crate) fn groups(text: &str) -> impl Iterator<Item = Group<'_>> {
    entries(text).filter_map(|mut f| {
        let name = f.text();
        f.text();
        Some(Group { name, gid: f.number()?, members: f.rest })
    })
}

/// Returns the entries of `/etc/shadow`, in the file's order.
pub(crate) fn shadow(text: &str) -> impl Iterator<Item = Shadow<'_>> {
    entries(text).filter_map(|mut f| {
        let name = f.text();
        let password = f.text();
        let (_changed, min, max) = (f.days()?, f.days()?, f.days()?);
        // An old form of the file ends here.
        if f.rest.trim_ascii_start().is_empty() {
            return Some(Shadow { name, password, min, max, warn: -1, expire: -1 });
        }
        let (warn, _inactive, expire) = (f.days()?, f.days()?, f.days()?);
        // The text after the last colon must be a number, too; the C library skips lines with further colons.
        if f.rest.contains(':') {
            return None;
        }
        if !f.rest.is_empty() {
            f.days()?;
        }
        Some(Shadow { name, password, min, max, warn, expire })
    })
}

/// Which groups list whom.
#[derive(Debug, Default)]
pub(crate) struct Membership<'a> {
    /// The first group of each number: what `getgrgid` finds.
    by_gid: HashMap<u32, Group<'a>>,
    /// The numbers of the groups that list a user, in the file's order.
    of_user: HashMap<&'a str, Vec<u32>>,
}

impl<'a> Membership<'a> {
    /// Returns the memberships in a group file for the users that `wanted` selects.
    pub(crate) fn of(text: &'a str, wanted: impl Fn(&str) -> bool) -> Membership<'a> {
        let mut all = Membership::default();
        for group in groups(text) {
            all.by_gid.entry(group.gid).or_insert(group);
            for member in group.members().filter(|m| wanted(m)) {
                all.of_user.entry(member).or_default().push(group.gid);
            }
        }
        all
    }

    /// Returns the groups that list the user, as Puppet's `Puppet::Util::POSIX.groups_of` finds them: the primary group first
    /// (only if it lists the user, too), then in the file's order; of several groups with one number only the
    /// first counts, and only if it lists the user itself.
    pub(crate) fn groups_of(&self, user: &str, primary: u32) -> Vec<&'a str> {
        let mut names = Vec::new();
        let listed = self.of_user.get(user).map(Vec::as_slice).unwrap_or_default();
        if listed.is_empty() {
            return names;
        }
        for gid in std::iter::once(&primary).chain(listed) {
            if let Some(group) = self.by_gid.get(gid)
                && group.lists(user)
                && !names.contains(&group.name)
            {
                names.push(group.name);
            }
        }
        names
    }
}

/// Returns the ID of a user, given by name or ID, and of its primary group if the user exists.
///
/// # Errors
/// If the user does not exist, or the lookup fails.
pub(crate) fn ids_of(system: &System, user: &str) -> Result<(u32, Option<u32>), ProviderError> {
    let number: Option<u32> = user.parse().ok();
    let text = system.read_kept("/etc/passwd")?.unwrap_or_default();
    if let Some(line) = passwd(&text).find(|line| number.map_or(line.name == user, |n| line.uid == n)) {
        return Ok((line.uid, Some(line.gid)));
    }
    let found = match number {
        Some(number) => system.find_user(AccountKey::Number(number)).ok().flatten(),
        None => system.find_user(AccountKey::Name(user))?,
    };
    let found = found.map(|u| (u.uid.as_raw(), Some(u.gid.as_raw())));
    found.or(number.map(|n| (n, None))).ok_or_else(|| ProviderError::new(format!("unknown user {user}")))
}

/// Returns the ID of a group, given by name or ID.
///
/// # Errors
/// If the group does not exist, or the lookup fails.
pub(crate) fn gid_of(system: &System, group: &str) -> Result<u32, ProviderError> {
    find_gid(system, group)?.ok_or_else(|| ProviderError::new(format!("unknown group {group}")))
}

/// Returns the ID of a group, given by name or ID; `None` if the group does not exist.
///
/// # Errors
/// If the lookup fails.
pub(crate) fn find_gid(system: &System, group: &str) -> Result<Option<u32>, ProviderError> {
    if let Ok(number) = group.parse() {
        return Ok(Some(number));
    }
    let text = system.read_kept("/etc/group")?.unwrap_or_default();
    if let Some(line) = groups(&text).find(|line| line.name == group) {
        return Ok(Some(line.gid));
    }
    Ok(system.find_group(AccountKey::Name(group))?.map(|found| found.gid.as_raw()))
}

/// Returns the name of a user of this number: from the file, else, on a real machine, from the name service.
pub(crate) fn user_name(system: &System, uid: u32) -> Option<String> {
    let text = system.read_kept("/etc/passwd").ok().flatten().unwrap_or_default();
    if let Some(user) = passwd(&text).find(|u| u.uid == uid) {
        return Some(user.name.to_owned());
    }
    system.find_user(AccountKey::Number(uid)).ok().flatten().map(|u| u.name)
}

/// Returns the name of a group of this number: from the file, else, on a real machine, from the name service.
pub(crate) fn group_name(system: &System, gid: u32) -> Option<String> {
    let text = system.read_kept("/etc/group").ok().flatten().unwrap_or_default();
    if let Some(group) = groups(&text).find(|g| g.gid == gid) {
        return Some(group.name.to_owned());
    }
    system.find_group(AccountKey::Number(gid)).ok().flatten().map(|g| g.name)
}

/// Formats the date this many days after 1970-01-01 as `YYYY-MM-DD`.
pub(crate) fn date(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day number, by counting eras of 400 years that begin in March.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_the_c_library_skips_are_skipped() {
        let text = "\n# c\n+nis::::::\nbad:x:abc:1:::\nbig:x:99999999999:1:::\nneg:x:-1:1:::\nnogid:x:5\n  ok:x:7: 8\n";
        let found: Vec<_> = passwd(text).map(|u| (u.name, u.uid, u.gid, u.shell)).collect();
        assert_eq!(found, [("ok", 7, 8, "")]);
    }

    #[test]
    fn the_shell_is_the_rest_of_the_line_with_its_carriage_return() {
        let shells: Vec<_> = passwd("a:x:1:1:c:/h:/bin/sh\r\nb:x:1:1:c:/h:/bin/sh:more").map(|u| u.shell).collect();
        assert_eq!(shells, ["/bin/sh\r", "/bin/sh:more"]);
    }

    #[test]
    fn blanks_before_members_and_empty_members_do_not_count() {
        let group = groups("g:x:5:a, größe,,b\n").next().unwrap();
        assert_eq!(group.members().collect::<Vec<_>>(), ["a", "größe", "b"]);
    }

    #[test]
    fn shadow_lines_are_complete_or_in_the_old_form_or_skipped() {
        let text =
            "a::::::::\nb:!:100:1:2\nc:!:100:1:2:3\nd:!:100\ne:*:5:7:8:5:9:0:\nf:*:5:7:4294967295:5:9::x\ng:*:5:-7:8:::\nh:*::::::::\n";
        let found: Vec<_> = shadow(text).map(|s| (s.name, s.min, s.max, s.warn, s.expire)).collect();
        assert_eq!(found, [("a", -1, -1, -1, -1), ("b", 1, 2, -1, -1), ("e", 7, 8, 5, 0)]);
    }

    #[test]
    fn of_groups_with_one_number_only_the_first_counts() {
        let all = Membership::of("p:x:1:u\nb:x:2:u\na:x:3:v\nc:x:3:u\nd:x:2:u\n", |_| true);
        assert_eq!(all.groups_of("u", 1), ["p", "b"]);
        assert_eq!(all.groups_of("u", 3), ["p", "b"]);
        assert_eq!(all.groups_of("nobody", 1), Vec::<&str>::new());
    }

    #[test]
    fn days_become_dates() {
        let dates: Vec<_> = [0, 18311, 11016, -1, 19782].map(date).into_iter().collect();
        assert_eq!(dates, ["1970-01-01", "2020-02-19", "2000-02-29", "1969-12-31", "2024-02-29"]);
    }
}
