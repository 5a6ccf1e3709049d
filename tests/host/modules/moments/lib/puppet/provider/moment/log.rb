# frozen_string_literal: true

Puppet::Type.type(:moment).provide(:log) do
  def size
    '1'
  end

  def size=(value)
    write('set', value)
  end

  def flush
    write('flush', nil)
  end

  def write(what, value)
    values = [resource[:word], resource[:earlier], resource[:late], resource.should(:size), value]
    line = [resource[:name], what, resource.catalog ? 'catalog' : 'no catalog', *values].join(' ')
    File.write(resource[:log], "#{line.strip}\n", mode: 'a')
  end
end
