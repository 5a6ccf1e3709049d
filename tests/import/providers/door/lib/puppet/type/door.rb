Puppet::Type.newtype(:door) do
  @doc = 'A door.'

  feature :lockable, 'Has a lock.', methods: [:lock, :unlock]
  feature :silent, 'Makes no noise.'
  feature :warm, 'Keeps the cold out.', methods: [:insulation]
  feature :wide, 'Lets a car in.'

  ensurable

  newparam(:name, namevar: true) { desc 'Where it is.' }

  newproperty(:state, required_features: :lockable) do
    desc 'Whether it is locked.'
    newvalues(:locked, :unlocked)
    munge { |value| provider.usual? ? value : :locked }
  end

  newproperty(:noise, required_features: :silent) { desc 'How loud it is.' }
end
