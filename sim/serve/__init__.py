"""The servers of a configuration: the commands that start them, and a supervisor that does."""

from sim.serve.command import Server, servers
from sim.serve.supervise import started, supervise

__all__ = ["Server", "servers", "started", "supervise"]
