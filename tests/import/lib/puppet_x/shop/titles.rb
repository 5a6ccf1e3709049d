module PuppetX
  module Shop
    module Titles
      PORT = 80

      def self.port
        PORT
      end

      def self.word
        Regexp.new(/[^@]+/)
      end

      def self.split(first, second, between = '@')
        whole = word
        [
          [/^(#{whole})#{between}(#{whole})$/, [[first], [second]]],
          # The second group fills nothing.
          [/^((#{whole}))$/, [[first, lambda { |x| x }]]],
        ]
      end
    end
  end
end
