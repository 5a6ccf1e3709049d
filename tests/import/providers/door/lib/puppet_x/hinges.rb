module PuppetX
  # What its providers have in common.
  class Hinges < Puppet::Provider
    def self.prefix
      '/opt/hinges'
    end

    def self.hinge(side)
      confine exists: "/etc/hinges/#{side}"
      define_method(:side) { side }
    end
  end
end
