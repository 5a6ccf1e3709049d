# frozen_string_literal: true

# `create` calls the setters, and `flush` is called once.
Puppet::Type.type(:jar).provide(:sets_itself) do
  desc 'Sets the properties when it creates.'

  def exists?
    false
  end

  def create
    resource.note('create')
    %i[size word].each { |property| public_send("#{property}=", resource.should(property)) if resource.should(property) }
  end

  def destroy
    resource.note('destroy')
  end

  %i[size word list state].each do |property|
    define_method(property) { nil }
    define_method("#{property}=") { |value| resource.note("#{property}= #{value.inspect}") }
  end

  def flush
    resource.note('flush')
  end
end
