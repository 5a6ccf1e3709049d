# A port that needs no privileges.
type Profile::Port = Integer[1024, 65535]
