# frozen_string_literal: true

Puppet::Type.type(:leaf).provide(:log) do
  desc 'Writes what is set to a log.'

  %i[color size kind marks shape].each do |property|
    define_method(property) { :absent }

    define_method("#{property}=") do |value|
      parameters = %i[depth note secret].map { |name| resource[name].inspect }.join(' ')
      File.write(resource[:log], "#{resource[:name]} #{property}=#{value.inspect} #{parameters}\n", mode: 'a')
    end
  end
end
