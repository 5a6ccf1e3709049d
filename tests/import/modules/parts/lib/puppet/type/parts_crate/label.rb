isnamevar
munge { |value| value.upcase }
