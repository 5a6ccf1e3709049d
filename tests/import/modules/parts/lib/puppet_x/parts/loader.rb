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

  # Classes of attributes are continued in files of their own.
  module Continued
    def continued(attribute)
      file = Pathname.new(__FILE__).dirname + "../../puppet/type/#{name}" + "#{attribute.name}.rb"
      attribute.class_eval(file.read, file.to_s) if file.exist?
    end

    def named_by(pattern, *attributes)
      rows = [[pattern, attributes.map { |attribute| [attribute] }]]
      define_singleton_method(:title_patterns) { rows }
    end
  end

  Dir[File.join(File.dirname(__FILE__), 'limits', '*.rb')].sort.each { |file| require file }
end
