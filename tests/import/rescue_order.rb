# Errors that another clause would handle, or that come after the code that is rescued, are not handled.
module RescueOrder
  class Own < ArgumentError; end

  # The second clause does not handle what the first one raises.
  def self.chained(text)
    Integer(text)
  rescue ArgumentError
    raise Own, 'no number'
  rescue Own
    7
  end
end

Puppet::Type.newtype(:rescue_order) do
  newparam(:name)

  newparam(:chained) { munge { |value| RescueOrder.chained(value) } }

  newparam(:otherwise) do
    munge do |value|
      begin
        raise ArgumentError, 'x' if value == 'x'
      rescue ArgumentError
        'handled'
      else
        raise ArgumentError, 'not handled' if value == 'y'
        value
      end
    end
  end

  # The same error again: which class it has is not known.
  newparam(:again) do
    munge do |value|
      begin
        begin
          Integer(value)
        rescue ArgumentError
          raise
        end
      rescue ArgumentError
        'argument'
      rescue Puppet::Error
        'puppet'
      end
    end
  end
end
