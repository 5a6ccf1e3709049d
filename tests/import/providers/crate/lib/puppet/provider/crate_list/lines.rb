# Works with a document of its own, without a parent.
Puppet::Type.type(:crate_list).provide(:lines) do
  def self.instances
    found = []
    conf = Puppet::Util::OpenStackConfig.new('/etc/crate.list')
    conf.section_names.each do |part|
      conf.get_settings(part).each do |key, values|
        found << new(name: "#{part}/#{key}", value: values, ensure: :present)
      end
    end
    found
  end

  def exists?
    resource[:ensure] = :absent if resource[:value] == [resource[:gone]]
    !document.get_value(part, key).nil?
  end

  def create
    document.set_value(part, key, resource[:value])
    document.save
    @document = nil
  end
  alias_method :renew, :create

  def destroy
    document.remove_setting(part, key)
    document.save
  end

  def value
    found = document.get_value(part, key)
    found.is_a?(Array) ? found : [found]
  end

  def value=(values)
    document.set_value(part, key, values)
    document.save
  end

  private

  def part
    resource[:name].split('/', 2).first
  end

  def key
    resource[:name].split('/', 2).last
  end

  def document
    @document ||= Puppet::Util::OpenStackConfig.new('/etc/crate.list')
  end
end
