//! Methods of Ruby's values.

/// The public methods of values, with the kinds of values that have them, in Ruby 3.1 with Puppet 7.23; `tests/methods/record.rb`
/// writes the file.
const RESPONDS: &str = include_str!("../../data/ruby-responds.txt");

/// Returns the data types of the values that have a method in Ruby; `None` if no value has the method.
pub fn kinds_with(method: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let kinds = RESPONDS.lines().find_map(|line| line.strip_prefix(method)?.strip_prefix(' '));
    kinds.map(|kinds| kinds.split(' '))
}
