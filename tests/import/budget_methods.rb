# Methods that call each other twice.
Puppet::Type.newtype(:budget_methods) do
  def self.one
    two
    two
  end

  def self.two
    one
    one
  end

  newparam(:name, namevar: true)
  one
end
