# Constants that refer to each other have no value.
module Names
  A = B
  B = A
  C = [D, D]
  D = [C, C]
end

Puppet::Type.newtype(:budget_constants) do
  newparam(:name, namevar: true)
  Names::A.each { |one| newproperty(one) }
  Names::C.each { |one| newproperty(one) }
end
