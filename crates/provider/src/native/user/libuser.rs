//! The tools of libuser, which change the local accounts even if a name service provides others.

use crate::{Change, Command, ProviderError, System};
use rtype_lang::value::Value;
use std::time::Duration;

/// How long a tool may take: a home directory may hold much.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns whether the resource is to be kept to this machine's own accounts.
pub(in crate::native) fn is_local(change: &Change<'_>) -> bool {
    change.resource.wanted("forcelocal") == Value::Bool(true)
}

/// Runs a libuser tool for an account. As in Puppet, the machine's libuser settings are ignored, because they may name a directory service.
pub(in crate::native) fn run(
    system: &System,
    tool: &str,
    arguments: Vec<String>,
    name: &str,
    home: Option<String>,
) -> Result<(), ProviderError> {
    let etc = system.path("/etc");
    let etc = etc.display();
    let settings = format!(
        "[import]\nlogin_defs = {etc}/login.defs\ndefault_useradd = {etc}/default/useradd\n\
         [defaults]\nmodules = files shadow\ncreate_modules = files shadow\ncrypt_style = sha512\n\
         [userdefaults]\nLU_USERNAME = %n\nLU_GIDNUMBER = %u\n[groupdefaults]\nLU_GROUPNAME = %n\n\
         [files]\ndirectory = {etc}\n[shadow]\ndirectory = {etc}\n"
    );
    let failed = |e: std::io::Error| System::cannot_write("the settings of libuser", &e);
    let (_scratch, file) = system.temporary_file(settings.as_bytes()).map_err(failed)?;
    let command = system.command(tool).env("LIBUSER_CONF", file).time_limit(Some(PATIENCE));
    home.into_iter().fold(command, Command::own_path).args(arguments).args(["--", name]).succeed().map(drop)
}

/// Returns the error of a number that another account has: libuser's tools do not mind.
pub(in crate::native) fn taken(what: &str, number: &Value) -> ProviderError {
    let message = format!("{what} {} already exists", number.to_text());
    ProviderError::new(message).help("give `allowdupe => true` if two may have it")
}
