"""``python -m sim [overrides] [-m]`` is ``noodle run [overrides] [-m]``."""

import sys

from sim.cli import main

if __name__ == "__main__":
    sys.exit(main(["run", *sys.argv[1:]]))
