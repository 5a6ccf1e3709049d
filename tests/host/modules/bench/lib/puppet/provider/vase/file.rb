# frozen_string_literal: true

require 'json'

Puppet::Type.type(:vase).provide(:file) do
  desc 'Keeps vases as files of JSON.'

  class << self
    attr_accessor :shelf
  end

  # What has been read is kept, as many providers do.
  def content
    @content ||= File.exist?(path) ? JSON.parse(File.read(path)) : {}
  end

  def path
    File.join(resource[:dir] || self.class.shelf, resource[:name])
  end

  def write(changes)
    raise 'the password is missing' if changes['token'] && resource[:password].nil?

    File.write(path, JSON.generate(content.merge(changes)))
    File.chmod(resource[:mode], path)
  end

  def exists?
    puts 'this goes to the log'
    fail_as_told
    File.exist?(path)
  end

  def create
    raise 'the kiln is cold' if resource[:fault] == 'create'

    return if resource[:fault] == 'forget'

    log_at_each_level if resource[:fault] == 'messages'

    write('color' => resource[:color], 'token' => resource[:token])
  end

  def log_at_each_level
    debug('a debug message of the provider')
    info('an informational message of the provider')
    notice('a notice of the provider')
    warning('a warning of the provider')
    Puppet.notice('a notice of Puppet')
    Puppet.warning('a warning of Puppet')
  end

  def destroy
    File.delete(path)
  end

  def color
    content['color']
  end

  def color=(value)
    raise "cannot paint with #{resource[:password]}" if resource[:fault] == 'message'

    write('color' => value)
  end

  def token
    content['token']
  end

  def token=(value)
    write('token' => value)
  end

  def same?(first, second)
    first.to_s.casecmp?(second.to_s)
  end

  def polish
    File.write("#{path}.polished", 'yes')
  end

  # Another resource of the catalog, which has not been read yet.
  def look
    raise "#{resource.catalog.resource('Bowl', "#{resource[:dir]}/x.bowl")[:size]} in it"
  end

  def fail_as_told
    case resource[:fault]
    when 'raise' then raise ArgumentError, 'the vase is cracked'
    when 'exit' then exit 3
    when 'exit!' then exit!(3)
    when 'overflow' then fail_as_told
    when 'look' then look
    when 'hang' then execute(['sh', '-c', 'setsid env -i sleep 987654 & sleep 987654'])
    end
  end
end
