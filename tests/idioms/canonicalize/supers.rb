# [{ size: ' a ', mode: 'b' }, { size: nil, mode: 'c.' }]

module Base
  def canonicalize(_context, resources)
    resources.each do |resource|
      resource[:size] = fixed(resource[:size]) if resource[:size]
    end
  end

  def fixed(value)
    value.upcase
  end
end

module Stripped
  def fixed(value)
    super.strip
  end
end

include Base
include Stripped

def canonicalize(context, resources)
  super.each do |resource|
    resource[:mode] += '.' unless resource[:mode].nil? || resource[:mode].end_with?('.')
  end
end
