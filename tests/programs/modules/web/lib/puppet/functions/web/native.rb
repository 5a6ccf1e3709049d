# A function in Ruby.
Puppet::Functions.create_function(:'web::native') do
end
