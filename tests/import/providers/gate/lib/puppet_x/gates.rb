module PuppetX
  module Gates
    def self.tool
      '/opt/gates/bin/gate'
    end

    def self.installed?
      File.exist?(tool)
    end
  end
end
