# How wide something is.
type Gate::Width = Variant[
  Integer[1], # in millimetres
  Gate::Size,
]
