//! SeededRandom numbers that depend on a seed only: the generator MT19937 as Ruby's `Random` uses it.

use super::{Block, Evaluated, argument, legacy, ruby};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use md5::{Digest as _, Md5};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[legacy("fqdn_rand", -2, fqdn_rand)];

const N: usize = 624;
const M: usize = 397;

/// A generator.
pub struct SeededRandom {
    state: Vec<u32>,
    at: usize,
}

impl SeededRandom {
    /// Returns the generator of `Random.new(seed)`; the seed is an integer in big-endian bytes.
    pub fn new(seed: &[u8]) -> SeededRandom {
        let mut words: Vec<u32> = seed.rchunks(4).map(|chunk| chunk.iter().fold(0, |word, byte| (word << 8) | u32::from(*byte))).collect();
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        // Ruby takes a last word of 1 for the mark of a number's sign.
        if words.len() > 1 && words.last() == Some(&1) {
            words.pop();
        }
        match words.as_slice() {
            [] => SeededRandom::seeded(0),
            [word] => SeededRandom::seeded(*word),
            words => SeededRandom::of_words(words),
        }
    }

    fn seeded(seed: u32) -> SeededRandom {
        let mut state = Vec::with_capacity(N);
        let mut last = seed;
        state.push(last);
        for index in 1..N as u32 {
            last = 1_812_433_253_u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(index);
            state.push(last);
        }
        SeededRandom { state, at: N }
    }

    fn of_words(words: &[u32]) -> SeededRandom {
        let mut random = SeededRandom::seeded(19_650_218);
        let state = &mut random.state;
        let get = |state: &[u32], at: usize| state.get(at).copied().unwrap_or(0);
        let set = |state: &mut [u32], at: usize, word: u32| {
            if let Some(place) = state.get_mut(at) {
                *place = word;
            }
        };
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(words.len()) {
            let last = get(state, i - 1);
            let mixed = (get(state, i) ^ (last ^ (last >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(words.get(j).copied().unwrap_or(0))
                .wrapping_add(j as u32);
            set(state, i, mixed);
            (i, j) = (i + 1, (j + 1) % words.len());
            if i >= N {
                let end = get(state, N - 1);
                set(state, 0, end);
                i = 1;
            }
        }
        for _ in 1..N {
            let last = get(state, i - 1);
            let mixed = (get(state, i) ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            set(state, i, mixed);
            i += 1;
            if i >= N {
                let end = get(state, N - 1);
                set(state, 0, end);
                i = 1;
            }
        }
        set(state, 0, 0x8000_0000);
        random
    }

    fn refill(&mut self) {
        let old = |state: &[u32], at: usize| state.get(at % N).copied().unwrap_or(0);
        for index in 0..N {
            let bits = (old(&self.state, index) & 0x8000_0000) | (old(&self.state, index + 1) & 0x7fff_ffff);
            let twist = if bits & 1 == 1 { 0x9908_b0df } else { 0 };
            let word = old(&self.state, index + M) ^ (bits >> 1) ^ twist;
            if let Some(place) = self.state.get_mut(index) {
                *place = word;
            }
        }
        self.at = 0;
    }

    fn next(&mut self) -> u32 {
        if self.at >= N {
            self.refill();
        }
        let mut word = self.state.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// Returns a number below `limit`, as `rand(limit)` does. A limit of 0 gives 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let most = limit.saturating_sub(1);
        if most == 0 {
            return 0;
        }
        let mask = u64::MAX >> most.leading_zeros();
        'again: loop {
            let mut value = 0;
            for part in [32_u32, 0] {
                if (mask >> part) & 0xffff_ffff != 0 {
                    value |= u64::from(self.next()) << part;
                    value &= mask;
                    if value > most {
                        continue 'again;
                    }
                }
            }
            return value;
        }
    }
}

/// Returns the generator whose seed is the MD5 sum of a text.
pub fn by_md5(text: &str) -> SeededRandom {
    SeededRandom::new(&Md5::digest(text.as_bytes()))
}

/// Returns the name of the node from the facts.
///
/// # Errors
/// Returns an error if the facts have no name.
pub fn fqdn(context: &mut CallContext<'_>) -> Result<String, EvaluationFailure> {
    let facts = context.variable("facts");
    let networking = facts.as_ref().and_then(|facts| facts.get("networking"));
    match networking.map(|networking| networking.get("fqdn")) {
        Some(name) => Ok(name.map(ruby::to_s).unwrap_or_default()),
        None => Ok(String::new()),
    }
}

fn fqdn_rand(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let max = ruby::value_to_i(argument(arguments, 0))?;
    let mut name = fqdn(context)?;
    if argument(arguments, 2).is_true() {
        name = name.to_lowercase();
    }
    let seed = join_seed(argument(arguments, 1));
    let mut random = by_md5(&format!("{name}:{max}:{seed}"));
    if max == 0 {
        return Err(EvaluationFailure::new("invalid argument - 0"));
    }
    if max < 0 {
        return Err(EvaluationFailure::new(format!("invalid argument - {max}")));
    }
    Ok(ManifestValue::Integer(i64::try_from(random.below(max.unsigned_abs())).unwrap_or(0)))
}

/// Returns a seed as it is joined to others with colons: nested arrays are joined, too.
pub fn join_seed(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Array(elements) => elements.iter().map(join_seed).collect::<Vec<_>>().join(":"),
        other => ruby::to_s(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected results were printed by Ruby 3.1.
    #[test]
    fn numbers_are_those_of_ruby() {
        let limits = [10, 1000, 1 << 32, 1 << 33, 1 << 62];
        let numbers = |seed: u128| {
            let mut random = SeededRandom::new(&seed.to_be_bytes());
            limits.map(|limit| random.below(limit))
        };
        assert_eq!(numbers(0), [5, 192, 2_588_848_963, 6_635_222_723, 1_793_977_909_731_697_673]);
        assert_eq!(numbers(5), [3, 206, 3_739_766_767, 5_182_819_302, 2_098_075_404_734_174_608]);
        assert_eq!(numbers(1 << 32), numbers(0));
        assert_eq!(numbers(1 << 33), [5, 944, 2_944_842_790, 4_309_091_131, 4_267_077_659_330_859_789]);
        assert_eq!(numbers(1 << 127), [2, 885, 536_871_613, 8_373_506_660, 3_442_404_904_509_031_294]);
        let digest = 0xd41d_8cd9_8f00_b204_e980_0998_ecf8_427e;
        assert_eq!(numbers(digest), [8, 145, 622_412_351, 6_950_470_107, 2_551_945_749_003_836_402]);
    }
}
