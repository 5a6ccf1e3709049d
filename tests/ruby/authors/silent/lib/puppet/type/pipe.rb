Puppet::Type.newtype(:pipe) do
  @doc = 'A pipe between two places. A title may name one of them.'

  def self.title_patterns
    [[/\A([^:]+):([^:]+)\z/, [[:from], [:to]]], [/\A([^:]+)\z/, [[:from]]]]
  end

  newparam(:from) do
    desc 'Where it begins.'
    isnamevar
  end

  newparam(:to) do
    desc 'Where it ends.'
    isnamevar
  end

  newparam(:_place) do
    desc 'Used by the module alone.'
  end

  newparam(:separator) do
    desc 'What is between the two places. Defaults to " - ".'
    defaultto(' - ')
  end

  autorequire(:canal_of_another_module) { self[:from] }
end
