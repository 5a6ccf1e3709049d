Puppet::Functions.create_function(:shop_size) do
end
