"""Prints callgrind's counts: `summary.py FILE COUNT`, in thousands of instructions per presentation for COUNT presentations."""

import collections
import re
import subprocess
import sys

# Parts, including everything they call, by the function that is the part's only entry; some contain others.
PARTS = [
    ("the log's writer: rows, chain, commits", r"^(specialized )?AuditWriter\.commit"),
    ("  SQLite's own", r"^sqlite3_step$"),
    ("  SHA-256, without SHA instructions", r"sha256_block_data_order"),
    ("what the log is queried by, in company", r"^AuditIndex\.write"),
    ("the coordinator's decisions and deeds", r"^PresentationCoordinator\.handle"),
    ("reading from sockets, HTTP parsed", r"BaseStreamSocketChannel\.readFromSocket"),
    ("writing to sockets, through the pipeline", r"^ChannelPipeline\._write0"),
    ("JSON read", r"JSONValue\.init<A>\(parsing:maximumDepth:\)"),
    ("waiting for the next event", r"Selector\.whenReady0"),
]
# Single functions, without what they call.
FUNCTIONS = [
    ("counting references", r"^swift_(retain|release|bridgeObjectRetain|bridgeObjectRelease)('\d+)?$"),
    ("memory, allocated and freed", r"^(_int_)?(malloc|free)$"),
    ("looking up generic types", r"[gG]eneric(Metadata|CacheEntry)|MetadataCacheKey"),
    ("exclusive access, checked at run time", r"swift_(begin|end)Access|AccessSet"),
]


class Profile:
    """Costs by function: self and inclusive."""

    def __init__(self, path):
        names, self.own = {}, collections.Counter()
        calls = collections.Counter()
        caller = callee = None
        is_call = False

        def name(text):
            number, _, rest = text.partition(" ")
            if rest:
                names[number] = rest
            return number

        for line in open(path):
            if line.startswith("fn="):
                caller = name(line[3:].rstrip())
            elif line.startswith("cfn="):
                callee = name(line[4:].rstrip())
            elif line.startswith("calls="):
                is_call = True
            elif re.match(r"[0-9+*-]", line):
                cost = int(line.split()[-1])
                if is_call:
                    calls[caller, callee] += cost
                    is_call = False
                else:
                    self.own[caller] += cost
        words = subprocess.run(
            ["swift", "demangle", "--simplified", "--compact"],
            input="\n".join(names.values()), capture_output=True, text=True, check=True,
        ).stdout.split("\n")
        self.names = dict(zip(names, words))
        self.whole = collections.Counter(self.own)
        for (caller, callee), cost in calls.items():
            # Recursion is not counted twice: callgrind numbers the inner calls.
            if self.names[caller] != self.names[callee].split("'")[0]:
                self.whole[caller] += cost

    def sum(self, costs, pattern):
        return sum(cost for function, cost in costs.items() if re.search(pattern, self.names[function]))

    def largest(self, pattern):
        """The cost of the most expensive match, because generic functions have several forms that call each other."""
        return max((cost for f, cost in self.whole.items() if re.search(pattern, self.names[f])), default=0)


def main(path, count):
    profile = Profile(path)

    def show(name, cost):
        print(f"{cost / count / 1000:8.0f}  {name}")

    print("thousands of instructions for each presentation")
    show("all", sum(profile.own.values()))
    print("\nwhole parts, with all that they call")
    for name, pattern in PARTS:
        show(name, profile.largest(pattern))
    print("\nspread over all parts")
    for name, pattern in FUNCTIONS:
        show(name, profile.sum(profile.own, pattern))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
