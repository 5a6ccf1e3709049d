# frozen_string_literal: true

Puppet::Type.type(:crate).provide(:child, parent: :base) do
  commands sh: '/bin/sh'
  has_command(:say, '/bin/echo') { environment LANG: 'C' }
  has_feature :sizes
  defaultfor kernel: 'Linux'
  def exists?
    true
  end

  def color
    sh('-c', 'echo red').chomp
  end

  def color=(v)
    note(say(v).chomp)
  end

  def size
    :absent
  end

  def size=(v)
    note("size #{v.inspect}")
  end
end
