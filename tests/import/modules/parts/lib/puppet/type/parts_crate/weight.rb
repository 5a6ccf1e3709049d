desc 'In kilograms.'
validate { |value| raise ArgumentError, "#{value} is not a weight" unless value.to_s =~ /\A\d+\z/ }
