mime_default { 'text/html':
  ensure       => present,
  applications => ['firefox.desktop', 'chromium.desktop'],
}
mime_default { 'image/png':
  ensure       => present,
  applications => 'gimp.desktop',
}
