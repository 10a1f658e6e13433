"""`python -m indelible`."""

import sys

from indelible.serve.cli import main

sys.exit(main())
