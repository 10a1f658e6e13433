"""Registering Indelible with the programs that use it: their files are edited as text, and only our own key in them."""
