# frozen_string_literal: true

Puppet::Type.type(:pair).provide(:ruby) do
  def path
    File.join(resource[:dir], "#{resource[:host]}-#{resource[:key]}")
  end

  def exists?
    File.exist?(path)
  end

  def create
    File.write(path, resource[:value].to_s)
  end

  def destroy
    File.delete(path)
  end

  def value
    File.read(path)
  end

  def value=(v)
    File.write(path, v)
  end
end
