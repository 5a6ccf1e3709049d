module PuppetX
  module Silent
    # A list that is shown as text.
    class List < Puppet::Property
      def is_to_s(current)
        current.to_s
      end
      alias should_to_s is_to_s
    end
  end
end
