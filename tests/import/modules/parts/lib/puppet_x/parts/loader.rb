# Types whose attributes are in files of their own.
module PuppetX::Parts
  module Loader
    def self.included(type)
      type.extend(ClassMethods)
    end

    module ClassMethods
      def part(name)
        file = File.expand_path("../../../puppet/type/#{self.name}/#{name}.rb", __FILE__)
        eval(IO.read(file), nil, file)
      end
    end
  end

  Dir[File.join(File.dirname(__FILE__), 'limits', '*.rb')].sort.each { |file| require file }
end
