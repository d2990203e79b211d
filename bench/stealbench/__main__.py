"""`python3 -m stealbench`."""

import sys

from stealbench.cli import main

sys.exit(main())
