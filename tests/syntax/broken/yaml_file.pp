- file:
    path: /a
    state: present
