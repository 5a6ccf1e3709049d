# A method that is in another file than the class whose method calls it.
module PuppetX::Parts::Reading
  def read(value)
    number, unit = value.to_s.strip.split(' ', 2)
    "#{number} #{unit || 'kg'}"
  end
end
