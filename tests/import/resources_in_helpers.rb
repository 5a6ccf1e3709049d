# Resources of the catalog that reach code without a trace: through methods of the type, modules, and lists made of other lists.
module Members
  def self.titles(resources)
    resources.map(&:title)
  end

  def self.named(resource)
    "#{resource.type}/#{resource.title} (#{resource.ref})"
  end
end

Puppet::Type.newtype(:team) do
  newparam(:name)
  newparam(:group)

  def members
    catalog.resources.select { |r| r.is_a?(Puppet::Type) && %i[file team].include?(r.type) && r[:group] == self[:group] }
  end

  autorequire(:file) { Members.titles(members) }

  autorequire(:user) do
    ours, = members.partition { |r| r.type == :team }
    ours.map(&:title)
  end

  autorequire(:group) do
    members.each_with_object([]) { |r, all| all << r.title if r[:name].end_with?("x") }
  end

  autorequire(:exec) do
    members.map { |r| Members.named(r) }
  end
end
