class Puppet::Provider::Valve::Panel
  def get(_context)
    []
  end

  def set(_context, _changes); end
end
