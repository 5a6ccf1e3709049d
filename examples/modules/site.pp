motd_entry { 'maintenance': text => 'Sunday, 8 to 10.', colour => 'rot' }
motd_entry { 'Weather':     text => 'Rain.',            colour => 'blue' }
