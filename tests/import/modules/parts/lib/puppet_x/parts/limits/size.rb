module PuppetX::Parts
  LIMITS = YAML.load_file(File.join(File.dirname(__FILE__), '..', '..', '..', '..', 'data', 'limits.yaml')).freeze
  NAMES = JSON.parse(File.read(File.expand_path('../../../../data/names.json', __dir__)))['names']
end
