"""The tests import `brute` as a module of its own."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
