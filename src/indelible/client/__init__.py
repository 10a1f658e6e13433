"""The resilient client: the tools of a server, for a program that works on while the server is away.

    from indelible.client.client import Client

    with Client.http("http://memory.example:5050", token=token) as client:
        client.call("store_memory", content="Deploys go out on Tuesdays")
        hits = client.call("recall_memory", query="deploys").value

Reads are retried and then answered from the session's cache; writes are retried, kept in a spool on this disk and
replayed in order when the server is back, none of them twice. `client.degraded` and `result.degraded` say so.
"""

from indelible.client.client import Client
from indelible.client.entries import Refused
from indelible.client.result import Result
from indelible.client.retries import Policy

__all__ = ["Client", "Policy", "Refused", "Result"]
