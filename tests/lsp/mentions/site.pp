⟨t:lamp⟩ { '⟨b:bed⟩': ⟨p:power⟩ => 'y', ⟨m:mode⟩ => ⟨y:yes⟩, ⟨l:label⟩ => 'x' }
⟨t:lamp⟩ { 'hall': ⟨m:mode⟩ => [⟨n:on⟩, '⟨o:off⟩'] }
⟨h:shade⟩ { 'c': of => 'bed', require => ⟨t:Lamp⟩['⟨b:bed⟩'], subscribe => [⟨t:Lamp⟩['⟨b:bed⟩', 'hall']] }
⟨t:Lamp⟩['⟨b:bed⟩'] -> ⟨h:Shade⟩['c'] ~> ⟨t:lamp⟩ { 'late': }
⟨t:Lamp⟩ { ⟨p:power⟩ => 'z' }
