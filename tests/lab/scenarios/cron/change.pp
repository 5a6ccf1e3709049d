# Every property of a job changes.
#
# exits: 2 0
# setup:
#   printf '# Puppet Name: job\nA=1\n0 1 2 3 4 /bin/old\n# Puppet Name: other\n@daily /bin/other\n' | crontab -u root -
cron { 'job':
  command     => '/bin/new',
  minute      => '*/5',
  hour        => ['1', '2'],
  monthday    => '1-7',
  month       => 'July',
  weekday     => [0, 3],
  environment => ['A=2', 'B=3'],
}
