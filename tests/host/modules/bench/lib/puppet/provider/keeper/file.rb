# frozen_string_literal: true

Puppet::Type.type(:keeper).provide(:file) do
  desc 'Keeps the files that resources are about, and removes others.'

  # Puppet does not call this method of a provider.
  def pre_run_check; end

  def size
    purge
    File.read(path(resource[:name]))
  end

  def size=(value)
    raise 'the shelf is full' if resource[:fault] == 'set'

    File.write(path(resource[:name]), value)
  end

  def path(name)
    File.join(resource[:dir], name)
  end

  def purge
    (Dir.children(resource[:dir]) - names).each { |name| File.delete(path(name)) unless resource[:list] == 'resource' && found?(name) }
  end

  def found?(name)
    resource.catalog.resource(:keeper, name) || resource.catalog.resource(:file, path(name))
  end

  def names
    catalog = resource.catalog
    case resource[:list]
    when 'resources' then of(catalog.resources)
    when 'vertices' then of(catalog.vertices)
    when 'resource_refs' then of(catalog.resource_refs.map { |ref| catalog.resource(ref) })
    else []
    end
  end

  def of(resources)
    resources.grep(Puppet::Type).map { |resource| File.basename(resource.name) }
  end
end
