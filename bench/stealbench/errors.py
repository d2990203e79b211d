"""What a user can mend."""


class BadInput(Exception):
    """Input that is not valid: the message names what is. A command ends with status 2."""
