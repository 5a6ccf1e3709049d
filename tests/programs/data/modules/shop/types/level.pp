# Levels of the log.
type Shop::Level = Enum['quiet', 'verbose']
