# A class: nothing of rtype's.
class shop { lantern { 'door': } }
