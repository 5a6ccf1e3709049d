Puppet::Type.type(:door).provide(:wood) do
  desc 'A door of wood.'
  commands saw: 'saw', 'nail-gun' => '/usr/bin/nail-gun'
  optional_commands oil: 'oilcan'

  def usual?
    @property_hash[:usual]
  end

  def lock; end
  def unlock; end
  private :unlock
end
