"""What agents do, taken from their hooks: payloads to common events, events to the spool, sessions to captures."""
