User <| title == 'bob' |>
user { 'eve': }
