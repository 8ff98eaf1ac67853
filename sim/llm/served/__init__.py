"""Models behind servers: how each kind of server is asked, read, looked at and counted with."""
