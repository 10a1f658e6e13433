"""What agents read: one module a toolset. `registry.all_tools` imports them."""
