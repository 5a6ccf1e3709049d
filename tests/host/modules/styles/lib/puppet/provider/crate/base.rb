# frozen_string_literal: true

Puppet::Type.type(:crate).provide(:base) do
  confine true: true
  def exists?
    false
  end

  def create
    note('create')
  end

  def destroy
    note('destroy')
  end

  def note(t)
    File.write(resource[:log], "#{resource[:name]} #{self.class.name} #{t}\n", mode: 'a')
  end

  def other
    @other || 'a'
  end

  def other=(v)
    note("other #{v}")
    @other = v
  end
end
