# Modules that include each other.
module One
  def self.included(type)
    type.class_eval do
      include Two
      include Two
    end
  end
end

module Two
  def self.included(type)
    type.class_eval do
      include One
      include One
    end
  end
end

Puppet::Type.newtype(:budget_mixins) do
  include One
  newparam(:name, namevar: true)
end
