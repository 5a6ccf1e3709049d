class Puppet::Provider::ShopDoor < Puppet::Provider
  commands latch: 'latch'

  def self.hinge_command(name, path)
    has_command(name, path) { environment HOME: '/' }
  end

  def lock; latch('lock', resource[:name]); end
  def unlock; latch('unlock', resource[:name]); end
  def usual?; true; end

  private

  def insulation; 3; end
end
