# Code in strings, aliases in modules, methods that are made or removed: what each does to the attributes.
module EvaluatedAliases
  def is_to_s(v) "A#{v}" end
  alias_method :should_to_s, :is_to_s
  def same?(is) is.to_s.downcase == should.to_s.downcase end
  alias insync? same?
end
module EvaluatedRules
  def chk(v) raise ArgumentError, "chk #{v}" if v == 'z' end
  alias unsafe_validate chk
  def mng(v) v + 'B' end
  alias_method :unsafe_munge, :mng
end
class EvaluatedParent < Puppet::Property
  def insync?(is) is == 'y' end
end
Puppet::Type.newtype(:evaluated_code) do
  newparam(:name)
  newproperty(:a) { include EvaluatedAliases }
  newproperty(:b) { include EvaluatedRules }
  newproperty(:c) { instance_eval { define_method(:insync?) { |is| is == 'y' } } }
  newproperty(:d) { class_eval("def insync?(is) is == 'y' end") }
  newproperty(:e) do
    class_eval <<-RUBY, __FILE__, __LINE__ + 1
      def insync?(is)
        is == 'y'
      end
      munge { |v| v + 'E' }
    RUBY
  end
  newproperty(:f) { define_method(:same?) { |is| is == 'y' }; alias_method :insync?, :same? }
  class_eval "newparam(:pz) { defaultto 'q' }"
  %w[k1 k2].each { |n| class_eval "newproperty(:#{n}) { munge { |v| v + '#{n}' } }" }
  newproperty(:h) { def insync?(is) is == 'y' end; remove_method :insync? }
  newproperty(:i, parent: EvaluatedParent) { undef_method :insync? }
  newproperty(:g) { eval("munge { |v| v + 'G' }") }
  newproperty(:j) { module_eval "munge { |v| v + 'H' }" }
  newproperty(:k) { instance_eval "munge { |v| v + 'I' }" }
  newproperty(:gg) { @array_matching = :all }
  newproperty(:l) { define_method(:is_to_s) { |v| "i#{v}" }; alias_method(:should_to_s, :is_to_s) }
  newproperty(:m) { instance_eval { define_method(:should_to_s) { |v| "n#{v}" } } }
end
