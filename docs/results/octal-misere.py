"""The misère quotients of all octal codes of two and three digits, as a table. Prints 511 rows; the number of processes may be given:

    python3 octal-misere.py 2 > octal-misere.tsv

Asks `cgdsl seq --misere` for one code after the other. Each search has a limit of positions instead of seconds, so that the
table is the same on every machine. Columns: the code; the greatest heap for which the quotient is known, `all` if a period
proves it for all heaps; its order; the number of its P-elements; and the heap from which on the quotient is proven to be
infinite, if that was found. Codes that differ only in zeros at the end are one code, and 0.0 has no moves.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HEAPS = "20"
POSITIONS = "3000000"


def codes():
    for n in range(1, 8**3):
        yield "0." + f"{n:03o}".rstrip("0")


def row(code):
    asked = ["cgdsl", "seq", "octal", f'Octal("{code}")', "--misere", "--to", HEAPS, "--nodes", POSITIONS, "--json"]
    ended = subprocess.run(asked, capture_output=True, text=True)
    # 3 says that the quotient is not known to heap 20.
    if ended.returncode not in (0, 3):
        raise RuntimeError(f"{code}: {ended.stderr}")
    found = json.loads(ended.stdout)
    known = "all" if found["all_heaps"] else str(len(found["heaps"]) - 1)
    infinite = str(found["infinite"]["from"]) if found["infinite"] else "-"
    return "\t".join([code, known, str(found["order"]), str(len(found["p"])), infinite])


with ThreadPoolExecutor(int(sys.argv[1]) if len(sys.argv) > 1 else 1) as pool:
    print("code\tknown to heap\torder\tP\tinfinite from")
    for line in pool.map(row, codes()):
        print(line, flush=True)
