Facter.add(:web_version) do
  setcode { '1.0' }
end
