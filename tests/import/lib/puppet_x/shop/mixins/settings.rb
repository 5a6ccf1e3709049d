module PuppetX
  module Shop
    module Mixins
      module Settings
        def declare_settings(second)
          ensurable
          newparam(:name) { isnamevar }
          newproperty(second)
        end
      end

      module Helpers
        def half(name, side)
          "#{name}/#{side}"
        end

        # Nothing calls it, so that it does not matter that it is unsupported.
        def unused
          ObjectSpace.garbage_collect
        end
      end

      module ReadOnly
        def self.included(klass)
          klass.class_eval do
            validate { |_| raise ArgumentError, 'Read-only.' }
          end
        end
      end
    end
  end
end
