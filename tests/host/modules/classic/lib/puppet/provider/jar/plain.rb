# frozen_string_literal: true

# Getters and setters without a hash; some getters return nil, or another class of object.
Puppet::Type.type(:jar).provide(:plain) do
  desc 'Has getters and setters.'

  def exists?
    resource[:name] != 'plain-new'
  end

  def create
    resource.note('create')
  end

  def destroy
    resource.note('destroy')
  end

  def size
    resource[:name] == 'plain-text' ? '3' : 3
  end

  def word
    { 'plain-nil' => nil, 'plain-absent' => :absent, 'plain-symbol' => :a, 'plain-empty' => '' }.fetch(resource[:name], 'a')
  end

  def list
    { 'plain-nil' => nil, 'plain-absent' => :absent, 'plain-empty' => [], 'plain-text' => 'x' }.fetch(resource[:name], %w[x y])
  end

  def state
    resource[:name] == 'plain-text' ? 'on' : :on
  end

  %i[size word list state].each do |property|
    define_method("#{property}=") { |value| resource.note("#{property}= #{value.inspect}") }
  end
end
