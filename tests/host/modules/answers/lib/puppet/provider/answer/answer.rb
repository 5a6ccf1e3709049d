# Reports each form and records the changes.
class Puppet::Provider::Answer::Answer
  REPORTED = [
    { name: 'lacks' },
    { name: 'nils', size: nil, word: nil },
    { name: 'extra', size: 3, word: 'a', more: 1 },
    { name: 'symbol', size: 3, word: :a },
    { name: 'twice', size: 3, word: 'a' },
    { name: 'twice', size: 4, word: 'b' },
    { name: 'same', size: 3, word: 'a' },
    { name: 'differs', size: 4, word: 'a' },
    { name: 'undeclared', size: 3 },
  ].freeze

  def get(_context, _names = nil)
    REPORTED
  end

  def set(context, changes)
    changes.each do |name, change|
      context.info("an informational message about #{name}")
      context.notice("a notice about #{name}")
      context.warning("a warning about #{name}")
      should = change[:should]
      File.write(should[:log], "#{name} #{change[:is].inspect} => #{should.reject { |key, _| key == :log }.inspect}\n", mode: 'a')
    end
  end
end
