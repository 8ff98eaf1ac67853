"""The door: the one package that knows Hydra. It composes, checks, and only then lets a run begin.

Hydra by itself makes the output folder first and exits with 1 on bad input; here everything is
composed and checked before, so that bad input costs one line, leaves nothing behind and exits
with 2. Hydra's own ``run``, or its launcher for the arms of a sweep, then composes again and carries
out the job.
"""

from sim.door.composing import conf_folder
from sim.door.resuming import settings_in
from sim.door.running import configured, main

__all__ = ["conf_folder", "configured", "main", "settings_in"]
