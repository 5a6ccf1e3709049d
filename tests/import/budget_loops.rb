# Loops in loops: ten to the ninth declarations.
Puppet::Type.newtype(:budget_loops) do
  newparam(:name, namevar: true)
  digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  digits.each do |d0|
    digits.each do |d1|
      digits.each do |d2|
        digits.each do |d3|
          digits.each do |d4|
            digits.each do |d5|
              digits.each do |d6|
                digits.each do |d7|
                  digits.each do |d8|
                    newproperty("p#{d0}#{d1}")
                  end
                end
              end
            end
          end
        end
      end
    end
  end
end
