"""The commands: a module each, with `declare(parser)` and `run(options) -> exit status`."""
