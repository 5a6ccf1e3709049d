# A method that passes its argument on to itself many times.
Puppet::Type.newtype(:budget_changes) do
  newparam(:name, namevar: true)

  newparam(:tree) do
    def walk(x)
      [
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x),
        walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x), walk(x)
      ]
    end

    munge { |value| walk(value) }
  end
end
