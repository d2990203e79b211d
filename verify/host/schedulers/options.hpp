#error A header of the host, which has the name of one of ours.
