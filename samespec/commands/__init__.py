"""The subcommands of `samespec`, a module each; `samespec.main` imports the one that is asked for."""
