# A class: nothing of rtype's.
class shop { include other }
