# Nothing is declared, but a hundred to the tenth rounds are many.
list = %w[a]
Puppet::Type.newtype(:budget_empty_loops) do
  newparam(:name, namevar: true)
  list = %w[a b c d e f g h i j k l m n o p q r s t u v w x y z]
  list.each do |v0|
  list.each do |v1|
  list.each do |v2|
  list.each do |v3|
  list.each do |v4|
  list.each do |v5|
  list.each do |v6|
  list.each do |v7|
  list.each do |v8|
  list.each do |v9|
  end
  end
  end
  end
  end
  end
  end
  end
  end
  end
end
