# frozen_string_literal: true

# Returns a secret, as functions that ask a store of secrets do.
Puppet::Functions.create_function(:'safe::open') do
  dispatch(:open) { param 'String', :name }

  def open(name)
    raise 'the safe is locked' if name == 'locked'

    Puppet::Pops::Types::PSensitiveType::Sensitive.new("opensesame-#{name}")
  end
end
