# What only looks like something that can be translated: the state of Ruby objects decides, or an operator of the class itself.
module Ledger
  ROUND = Hash.new(->(sum) { sum }).merge('up' => ->(sum) { sum + 1 })
  BY_PATTERN = { /^a/ => ->(text) { text.upcase } }.freeze
  LATER = { 'now' => ->(text) { text } }

  def self.add
    LATER['late'] = ->(text) { text }
  end

  class Page
    def self.make(text)
      new(text)
    end

    def self.mine?(page)
      page.is_a?(self)
    end

    def initialize(text)
      @text = text
    end

    def show
      "page: #{@text}"
    end
  end

  class Cover < Page
    def show
      "cover: #{@text}"
    end
  end
end

Puppet::Type.newtype(:ledger) do
  newparam(:name, namevar: true)

  # The default of the table.
  newparam(:sum) do
    munge { |value| Ledger::ROUND[value].call(1) }
  end

  # The keys are compared, not matched.
  newparam(:text) do
    munge { |value| Ledger::BY_PATTERN[value].call(value) }
  end

  newparam(:entry) do
    munge { |value| Ledger::LATER[value].call(value) }
  end

  # Objects of the class that the method is called on.
  newparam(:cover) do
    munge { |value| Ledger::Cover.make(value).show }
  end

  # The first value is kept for the others.
  newproperty(:first, array_matching: :all) do
    munge do |value|
      if @first
        @first
      else
        @first = value
      end
    end
  end

  # A parameter has no `@should`.
  newparam(:defined) do
    munge { |_value| defined?(@should[0]) ? 'yes' : 'no' }
  end
end
