# frozen_string_literal: true

Puppet::Type.type(:pointer).provide(:ruby) do
  def linked?
    File.symlink?(resource[:path]) && File.readlink(resource[:path]) == resource[:to]
  end

  def link
    File.symlink(resource[:to], resource[:path])
  end

  def unlink
    File.unlink(resource[:path])
  end
end
