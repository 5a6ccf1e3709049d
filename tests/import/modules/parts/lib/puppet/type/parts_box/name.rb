newparam(:name) do
  desc 'What it is called.'
  isnamevar
end
