"""Capture of agents' activity from hooks: payloads to common events, events to the spool, sessions to captures."""
