⟨t:lamp⟩ { '⟨b:bed⟩': ⟨p:power⟩ => 'y', ⟨m:mode⟩ => ⟨y:yes⟩, ⟨l:label⟩ => 'x' }
⟨t:lamp⟩ { 'hall': ⟨m:mode⟩ => [⟨n:on⟩, '⟨o:off⟩'] }
⟨h:shade⟩ { 'c': of => 'bed', require => ⟨t:Lamp⟩['⟨b:bed⟩'], subscribe => [⟨t:Lamp⟩['⟨b:bed⟩', 'hall']] }
⟨t:Lamp⟩['⟨b:bed⟩'] -> ⟨h:Shade⟩['c'] ~> ⟨t:lamp⟩ { 'late': }
⟨t:Lamp⟩ { ⟨p:power⟩ => 'z' }
⟨t:Lamp⟩<| ⟨p:power⟩ == 'mode == 1' and (⟨m:mode⟩ != on or tag == 'x') |> { ⟨l:label⟩ => 'y', ⟨m:mode⟩ => { power => $power } }
⟨h:Shade⟩['c'] -> ⟨t:Lamp⟩<<| |>>
⟨t:Lamp⟩['⟨b:bed⟩'] { ⟨p:power⟩ +> 'z' }
