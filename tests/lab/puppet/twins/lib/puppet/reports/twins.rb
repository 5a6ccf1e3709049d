# Puppet's report of a run as JSON, in the file that the environment names.
require 'json'
require 'puppet/reports'

Puppet::Reports.register_report(:twins) do
  desc 'One JSON object with what became of each resource.'

  def process
    resources = resource_statuses.values.map do |status|
      events = status.events.map do |event|
        { property: event.property, status: event.status, previous: event.previous_value.to_s, desired: event.desired_value.to_s, message: event.message }
      end
      { resource: status.resource, failed: status.failed || status.failed_to_restart || false, skipped: status.skipped || false, events: events }
    end
    File.write(ENV.fetch('TWINS_REPORT'), JSON.generate(resources))
  end
end
