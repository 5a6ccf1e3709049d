Puppet::Type.newtype(:wick) do
  @doc = 'What burns in a lamp.'

  newparam(:name) { desc 'Which lamp.' }

  newproperty(:stuff) do
    desc 'What it is made of.'
    newvalues(:cotton, :glass)
  end
end
