# What the types of this module share; no type is declared here.
module SilentShared
  SIZES = %w[small large].freeze
end
