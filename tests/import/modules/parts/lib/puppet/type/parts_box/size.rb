newproperty(:size) do
  desc 'How large it is.'
  newvalues(*PuppetX::Parts::LIMITS['colours'])
  validate do |value|
    super(value)
    raise ArgumentError, 'too small' if value.length < PuppetX::Parts::LIMITS['min']
  end
end
