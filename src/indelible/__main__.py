"""`python -m indelible`."""

import sys

from indelible.cli.main import main

sys.exit(main())
