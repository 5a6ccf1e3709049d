type Gate::Size = Enum['narrow', "wide", true]
