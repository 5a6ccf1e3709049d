# Values that look into the catalog: a generated resource has none while it gets its values.
Puppet::Type.newtype(:catalog_without_resource) do
  @doc = 'Looks into the catalog.'
  newparam(:name) { isnamevar }
  newparam(:safe) { munge { |v| resource.catalog&.resource(:file, v) ? 'found' : 'none' } }
  newparam(:safe_list) { munge { |v| (resource.catalog&.resources || []).length } }
  newparam(:unsafe) { munge { |v| resource.catalog.resource(:file, v) ? 'found' : 'none' } }
  newparam(:guarded) { munge { |v| (resource.catalog && resource.catalog.resource(:file, v)) ? 'found' : 'none' } }
  newparam(:asked) { munge { |v| resource.catalog.nil? ? 'none' : 'found' } }
end
