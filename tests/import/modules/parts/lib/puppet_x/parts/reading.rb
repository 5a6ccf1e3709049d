# A method of another file than the class that calls it, which stands at another place of it.
module PuppetX::Parts::Reading
  def read(value)
    number, unit = value.to_s.strip.split(' ', 2)
    "#{number} #{unit || 'kg'}"
  end
end
