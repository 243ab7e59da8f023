"""`python -m rookery` is `rookery`."""

import sys

from rookery.cli import main

sys.exit(main())
