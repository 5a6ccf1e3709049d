//! What the translation of blocks asks of the module's Ruby code.

use super::block::AttributeContext;
use super::eval::ClassId;
use super::kinds::Kind;
use super::known::StaticValue;
use super::matches::ReturnedMatch;
use super::ruby::ByteRange;
use super::supers::RunningMethod;
use super::tables::LambdaTable;
use super::things::{FoundMethod, Receiver, Shape, Thing};
use super::values::Question;
use std::rc::Rc;

/// The methods that Ruby code defines.
pub(super) trait RubyMethods {
    /// Returns the class that a constant names, unless it is one of Ruby or Puppet.
    fn class_at(&self, at: &ByteRange) -> Option<ClassId>;
    /// Returns a class again, unless it builds on one of Ruby or Puppet.
    fn plain_class(&self, class: ClassId) -> Option<ClassId>;
    fn find(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<FoundMethod>;
    /// Returns the kind of the values that a method returns, if it is the same for all.
    fn returned_kind(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<Kind>;
    /// Returns what a method that returns a match or nil returns.
    fn returned_match(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str) -> Option<ReturnedMatch>;
    /// Returns the function that a method becomes for these arguments, one for each parameter.
    fn request(&self, of: &Receiver, attribute: Option<&AttributeContext>, method: &str, given: &[Thing]) -> Option<String>;
    /// Returns the object that `new` creates with these arguments.
    fn constructed(&self, class: ClassId, given: &[Thing]) -> Option<Rc<Shape>>;
    /// Returns the name of a class.
    fn class_name(&self, class: ClassId) -> String;
    /// Notes that an object is used as a value; returns whether it is like the others of its class.
    fn is_value(&self, shape: &Rc<Shape>) -> bool;
    /// Returns the name of a class that builds on `Time`, and the pattern of its text, if that is known.
    fn time_class(&self, at: &ByteRange) -> Option<(String, Option<String>)>;
    /// Returns the function that answers a question of a value.
    fn asked(&self, question: Question, at: &ByteRange) -> Option<String>;
    /// Returns the value of an instance variable that only `initialize` of a class sets, by default that of the type, if it is known.
    fn initial(&self, class: Option<ClassId>, variable: &str) -> Option<StaticValue>;
    /// Returns the value of a constant of a class, by default that of the type, if it is known.
    fn constant_of(&self, class: Option<ClassId>, constant: &str) -> Option<StaticValue>;
    /// Returns whether a call of a method of an object changes nothing, and gives the same for as long as the type exists.
    fn is_plain(&self, object: usize, method: &str) -> bool;
    /// Returns whether the format of values that a property of a class inherits in the end is that of any property.
    fn formats_plainly(&self, class: ClassId) -> bool;
    /// Returns what a method that is made from a block, or a class method, returns without arguments for the classes that inherit from
    /// one, or for it, if that is known when the type is loaded.
    fn constant_method(&self, class: Option<ClassId>, method: &str, of_class: bool) -> Option<StaticValue>;
    /// Returns whether other classes in Ruby code inherit from a class.
    fn has_heirs(&self, class: ClassId) -> bool;
    /// Returns whether a class is another one or inherits from it.
    fn inherits(&self, class: ClassId, from: ClassId) -> bool;
    /// Returns whether a `rescue` of the files of the type selects certain errors.
    fn selects_errors(&self) -> bool;
    /// Returns the name of the class of errors that a constant is.
    fn error_class(&self, at: &ByteRange) -> Option<String>;
    /// Returns whether errors of the class that a constant names make their message themselves.
    fn has_own_message(&self, at: &ByteRange) -> bool;
    /// Returns the names of the classes of Ruby code that build upon the class that a constant names.
    fn error_heirs(&self, at: &ByteRange) -> Vec<String>;
    /// Returns the table of lambdas that a constant is.
    fn lambda_table(&self, at: &ByteRange) -> Option<LambdaTable>;
    /// Returns whether a method of an object, with those that it calls, adds to an instance variable and never reads it.
    fn is_only_kept(&self, running: &RunningMethod, variable: &str) -> bool;
    /// Returns whether some code of the file changes what a local contains.
    fn is_changed_local(&self, local: &str) -> bool;
    /// Returns what a constant of the file is another name of: `SENSITIVE = Puppet::Pops::Types::PSensitiveType::Sensitive`.
    fn constant_alias(&self, constant: &str) -> Option<String>;
    /// Returns a constant map, as written, and what it gives for other keys.
    fn map_with_default(&self, at: &ByteRange) -> Option<(String, String)>;
    /// Returns the object that `X.instance` is.
    fn singleton(&self, class: ClassId) -> Option<Rc<Shape>>;
}
