require 'puppet_x/parts/loader'

Puppet::Type.newtype(:parts_box) do
  include PuppetX::Parts::Loader

  part :name
  part :size
  part :missing if File.exist?(File.join(File.dirname(__FILE__), 'parts_box', 'missing.rb'))

  newproperty(:greek) { newvalues(*PuppetX::Parts::NAMES) }

  newparam(:template) { defaultto File.join(File.dirname(__FILE__), 'template.erb') }

  newproperty(:tags, array_matching: :all) do
    def initialize(**options)
      super
      @unordered = true
    end

    def insync?(is)
      @unordered ? is.sort == should.sort : is == should
    end
  end
end
