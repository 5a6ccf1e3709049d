# Lambdas that call others twice: their code is written where they are called.
Puppet::Type.newtype(:budget_lambdas) do
  newparam(:name, namevar: true)

  newparam(:level) do
    munge do |value|
      twice0 = ->(x) { x.to_s }
      twice1 = ->(x) { twice0.call(twice0.call(x)) }
      twice2 = ->(x) { twice1.call(twice1.call(x)) }
      twice3 = ->(x) { twice2.call(twice2.call(x)) }
      twice4 = ->(x) { twice3.call(twice3.call(x)) }
      twice5 = ->(x) { twice4.call(twice4.call(x)) }
      twice6 = ->(x) { twice5.call(twice5.call(x)) }
      twice7 = ->(x) { twice6.call(twice6.call(x)) }
      twice8 = ->(x) { twice7.call(twice7.call(x)) }
      twice9 = ->(x) { twice8.call(twice8.call(x)) }
      twice10 = ->(x) { twice9.call(twice9.call(x)) }
      twice11 = ->(x) { twice10.call(twice10.call(x)) }
      twice12 = ->(x) { twice11.call(twice11.call(x)) }
      twice13 = ->(x) { twice12.call(twice12.call(x)) }
      twice14 = ->(x) { twice13.call(twice13.call(x)) }
      twice15 = ->(x) { twice14.call(twice14.call(x)) }
      twice16 = ->(x) { twice15.call(twice15.call(x)) }
      twice17 = ->(x) { twice16.call(twice16.call(x)) }
      twice18 = ->(x) { twice17.call(twice17.call(x)) }
      twice19 = ->(x) { twice18.call(twice18.call(x)) }
      twice20 = ->(x) { twice19.call(twice19.call(x)) }
      twice21 = ->(x) { twice20.call(twice20.call(x)) }
      twice22 = ->(x) { twice21.call(twice21.call(x)) }
      twice23 = ->(x) { twice22.call(twice22.call(x)) }
      twice24 = ->(x) { twice23.call(twice23.call(x)) }
      twice24.call(value)
    end
  end
end
