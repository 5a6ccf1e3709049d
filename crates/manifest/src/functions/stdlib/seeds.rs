//! Functions of random values that depend on a seed, and of salted hashes.

use super::checks::is_integer;
use super::network::legacy_fact;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use crate::functions::random::{SeededRandom, by_md5, fqdn, join_seed};
use crate::functions::refused::needs_chance;
use crate::functions::ruby::{class_name, to_s, value_to_i};
use crate::functions::{Block, Evaluated, argument, legacy, signature, text, type_error, typed};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("fqdn_rand_string", -2, fqdn_rand_string),
    legacy("fqdn_rotate", -1, fqdn_rotate),
    legacy("fqdn_uuid", -1, fqdn_uuid),
    legacy("pw_hash", 3, pw_hash),
    legacy("seeded_rand", 2, seeded_rand),
    legacy("shuffle", -1, shuffle),
    legacy("str2saltedpbkdf2", -1, str2saltedpbkdf2),
    legacy("str2saltedsha512", -1, str2saltedsha512),
    typed("seeded_rand_string", &[signature("(Integer[1] $length, String $seed, String[2] $charset?)", seeded_rand_string)]),
];

/// The letters of random strings.
const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn below(random: &mut SeededRandom, count: usize) -> usize {
    usize::try_from(random.below(u64::try_from(count).unwrap_or(0))).unwrap_or(0)
}

fn fqdn_rand_string(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let length = argument(arguments, 0);
    if !is_integer(length) || value_to_i(length)? <= 0 {
        return Err(EvaluationFailure::new("fqdn_rand_string(): first argument must be a positive integer"));
    }
    let letters = match arguments.get(1) {
        None => "",
        Some(ManifestValue::String(letters)) => letters,
        Some(_) => return Err(EvaluationFailure::new("fqdn_rand_string(): second argument must be undef or a string")),
    };
    let letters: Vec<char> = if letters.is_empty() { LETTERS.chars().collect() } else { letters.chars().collect() };
    let name = fqdn(context)?;
    let seeds: String = arguments.iter().skip(2).map(|seed| join_seed(seed) + ":").collect();
    let mut out = String::new();
    for current in 1..=value_to_i(length)? {
        context.spend(100)?;
        let mut random = by_md5(&format!("{name}:{}:{seeds}{current}", letters.len()));
        out.extend(letters.get(below(&mut random, letters.len())));
    }
    Ok(ManifestValue::string(out))
}

fn fqdn_rotate(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let parts: Vec<ManifestValue> = match arguments.first() {
        None => return Err(EvaluationFailure::new("fqdn_rotate(): Wrong number of arguments given (0 for 1)")),
        Some(ManifestValue::Array(elements)) => elements.to_vec(),
        Some(ManifestValue::String(text)) => text.chars().map(|c| ManifestValue::string(c.to_string())).collect(),
        Some(_) => return Err(EvaluationFailure::new("fqdn_rotate(): Requires either array or string to work with")),
    };
    let source = argument(arguments, 0);
    if parts.len() <= 1 {
        return Ok(source.clone());
    }
    let name = to_s(&legacy_fact(context, "fqdn"));
    let seeds: Vec<String> = arguments.iter().skip(1).map(join_seed).collect();
    // The list of seeds is joined to the name, even if it is empty.
    let seed = format!("{name}:{}", seeds.join(":"));
    let mut rotated = parts;
    let offset = below(&mut by_md5(&seed), rotated.len());
    rotated.rotate_left(offset);
    Ok(match source {
        ManifestValue::String(_) => ManifestValue::string(rotated.iter().filter_map(ManifestValue::as_str).collect::<String>()),
        _ => ManifestValue::array(rotated),
    })
}

/// The DNS namespace of UUIDs, version 5.
const DNS: [u8; 16] = [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

fn fqdn_uuid(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = match arguments {
        [] => return Err(EvaluationFailure::new("fqdn_uuid: No arguments given")),
        [ManifestValue::String(name)] => name,
        [other] => return Err(type_error(other, "String")),
        _ => return Err(EvaluationFailure::new(format!("fqdn_uuid: Too many arguments given ({})", arguments.len()))),
    };
    let digest = Sha1::new().chain_update(DNS).chain_update(name.as_bytes()).finalize();
    let hex: String = digest
        .iter()
        .take(16)
        .enumerate()
        .map(|(at, byte)| match at {
            6 => format!("{:02x}", (byte & 0x0f) | 0x50),
            8 => format!("{:02x}", (byte & 0x3f) | 0x80),
            _ => format!("{byte:02x}"),
        })
        .collect();
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    Ok(ManifestValue::string([part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")))
}

fn seeded_rand(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let max = argument(arguments, 0);
    if !is_integer(max) || value_to_i(max)? <= 0 {
        return Err(EvaluationFailure::new("seeded_rand(): first argument must be a positive integer"));
    }
    let ManifestValue::String(seed) = argument(arguments, 1) else {
        return Err(EvaluationFailure::new("seeded_rand(): second argument must be a string"));
    };
    let number = by_md5(seed).below(value_to_i(max)?.unsigned_abs());
    Ok(ManifestValue::Integer(i64::try_from(number).unwrap_or(0)))
}

fn seeded_rand_string(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let default = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let letters: Vec<char> = argument(arguments, 2).as_str().unwrap_or(default).chars().collect();
    let length = usize::try_from(value_to_i(argument(arguments, 0))?).unwrap_or(0);
    context.spend(length)?;
    let mut random = SeededRandom::new(&Sha256::digest(text(arguments, 1).as_bytes()));
    let mut out = String::new();
    for _ in 0..length {
        out.extend(letters.get(below(&mut random, letters.len())));
    }
    Ok(ManifestValue::string(out))
}

fn shuffle(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let size = match arguments.first() {
        None => return Err(EvaluationFailure::new("shuffle(): Wrong number of arguments given (0 for 1)")),
        Some(ManifestValue::Array(elements)) => elements.len(),
        Some(ManifestValue::String(text)) => text.chars().count(),
        Some(_) => return Err(EvaluationFailure::new("shuffle(): Requires either array or string to work with")),
    };
    if size <= 1 { Ok(argument(arguments, 0).clone()) } else { Err(needs_chance("shuffle")) }
}

fn unwrapped(value: &ManifestValue) -> &ManifestValue {
    match value {
        ManifestValue::Sensitive(inner) => inner,
        other => other,
    }
}

fn pw_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let argument = |at: usize| unwrapped(argument(arguments, at));
    let failed = |text: String| Err(EvaluationFailure::new(format!("pw_hash(): {text}")));
    let password = match argument(0) {
        ManifestValue::String(password) => password.as_str(),
        ManifestValue::Undef => "",
        _ => return failed("first argument must be a string".to_owned()),
    };
    let ManifestValue::String(kind) = argument(1) else { return failed("second argument must be a string".to_owned()) };
    let lower = kind.to_lowercase();
    let is_bcrypt = lower.starts_with("bcrypt");
    if !["md5", "sha-256", "sha-512", "bcrypt", "bcrypt-a", "bcrypt-x", "bcrypt-y"].contains(&lower.as_str()) {
        return failed(format!("{kind} is not a valid hash type"));
    }
    let ManifestValue::String(salt) = argument(2) else { return failed("third argument must be a string".to_owned()) };
    if salt.is_empty() {
        return failed("third argument must not be empty".to_owned());
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/');
    if is_bcrypt {
        return Err(EvaluationFailure::unsupported("bcrypt"));
    }
    if !salt.chars().all(is_letter) {
        return failed("characters in salt must be in the set [a-zA-Z0-9./]".to_owned());
    }
    if password.is_empty() {
        return Ok(ManifestValue::Undef);
    }
    Err(EvaluationFailure::unsupported(format!("the password hash {lower}")))
}

fn str2saltedsha512(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match arguments {
        [ManifestValue::String(_)] => Err(needs_chance("str2saltedsha512")),
        [other] => {
            let class = class_name(other);
            Err(EvaluationFailure::new(format!("str2saltedsha512(): Requires a String argument, you passed: {class}")))
        }
        _ => {
            let given = arguments.len();
            Err(EvaluationFailure::new(format!("str2saltedsha512(): Wrong number of arguments passed ({given} but we require 1)")))
        }
    }
}

fn str2saltedpbkdf2(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let failed = |text: &str| Err(EvaluationFailure::new(format!("str2saltedpbkdf2(): {text}")));
    if arguments.len() != 3 {
        return failed(&format!("wrong number of arguments ({} for 3)", arguments.len()));
    }
    let argument = |at: usize| unwrapped(argument(arguments, at));
    if argument(0).as_str().is_none() {
        return failed("first argument must be a string");
    }
    let ManifestValue::String(salt) = argument(1) else { return failed("second argument must be a string") };
    if salt.len() < 8 {
        return failed("second argument must be at least 8 bytes long");
    }
    let ManifestValue::Integer(iterations) = argument(2) else { return failed("third argument must be an integer") };
    if !(40_001..70_000).contains(iterations) {
        return failed("third argument must be between 40,000 and 70,000");
    }
    Err(EvaluationFailure::unsupported("the password hash PBKDF2"))
}
