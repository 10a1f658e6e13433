"""What all tests share."""

import os

os.environ["INDELIBLE_ENCODER"] = "off"  # a test about meaning says `shared`, and has an encoder of its own
