# A kind of message.
type Web::Level = Enum[quiet, verbose]
