# Lists only a part of its file.
Puppet::Type.type(:crate_list).provide(:some, parent: :lines) do
  def self.instances
    conf = Puppet::Util::OpenStackConfig.new('/etc/crate.list')
    conf.section_names.map do |part|
      next if part == 'hidden'

      conf.get_settings(part).map { |key, values| new(name: "#{part}/#{key}", value: values, ensure: :present) }
    end.flatten
  end
end
