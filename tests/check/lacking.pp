user { 'root': loginclass => 'staff' }
