"""Prints callgrind's counts: `summary.py FILE COUNT`, in thousands of instructions per presentation for COUNT presentations."""

import collections
import re
import subprocess
import sys

# Parts, including everything they call, by the functions through which they are entered; indented ones are within the one above.
PARTS = [
    ("requests: read, parsed, routed, decoded, decided", r"^(specialized )?BaseStreamSocketChannel\.readFromSocket"),
    ("  a request's body: JSON, decoded, checked, encoded", r"^(specialized )?PresentationRoutes\.DecodedRequest\.init"),
    ("  the rules: requests and answers decided", r"^(specialized )?PresentationSurfaces\.(ask|handle)\("),
    ("committed events acted on, with what is sent", r"^(specialized )?PresentationCoordinator\.follow\("),
    ("  JSON written", r"^(specialized )?(Presentation\.addMembers|JSONText\.init)"),
    ("  HTTP responses encoded", r"^(specialized )?ConnectionHandler\.respond\("),
    ("the end of the coordinator's turn", r"^(specialized )?PresentationCoordinator\.endTurn\(\)"),
    ("the end of connections' turns: written to sockets", r"^(specialized )?ConnectionHandler\.endTurn\(\)"),
    ("the log's commits: events and their chain", r"^(specialized )?closure #1 in AuditLog\.commit\("),
    ("the log's rows (projector)", r"^(specialized )?AuditWriter\.project"),
    ("identity at accept, a few connections in all", r"^(specialized )?Peer\.(init\(userOfSocket|identified)"),
    ("within all of them: JSON read", r"^(specialized )?JSONReader\.document"),
    ("  SQLite's statements", r"^sqlite3_step$"),
    ("  SHA-256, without SHA instructions", r"^crypto_sha256$"),
]
# Single functions, without what they call.
FUNCTIONS = [
    ("counting references", r"^swift_(retain|release|bridgeObjectRetain|bridgeObjectRelease)('\d+)?$"),
    ("memory, allocated and freed", r"^(_int_)?(malloc|free)$"),
    ("memory, overwritten; a byte may count as one", r"^explicit_bzero$|^__memset_"),
    ("looking up generic types", r"[gG]eneric(Metadata|CacheEntry)|MetadataCacheKey"),
    ("exclusive access, checked at run time", r"swift_(begin|end)Access|AccessSet"),
]


class Profile:
    """Costs by function, and of the calls between them."""

    def __init__(self, path):
        names, self.own = {}, collections.Counter()
        self.calls = collections.Counter()
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
                    self.calls[caller, callee] += cost
                    is_call = False
                else:
                    self.own[caller] += cost
        words = subprocess.run(
            ["swift", "demangle", "--simplified", "--compact"],
            input="\n".join(names.values()), capture_output=True, text=True, check=True,
        ).stdout.split("\n")
        self.names = dict(zip(names, words))

    def matching(self, pattern):
        """Returns the functions that a pattern matches, and fails if there are none: the program has changed."""
        found = {function for function, name in self.names.items() if re.search(pattern, name)}
        if not found:
            sys.exit(f"summary.py: no function of the program matches {pattern}; change the pattern in PARTS or FUNCTIONS")
        return found

    def own_cost(self, pattern):
        return sum(self.own[function] for function in self.matching(pattern))

    def whole_cost(self, pattern):
        """The cost of all calls into the functions from others. Those without a name are within them."""
        found = self.matching(pattern)
        return sum(
            cost
            for (caller, callee), cost in self.calls.items()
            if callee in found and caller not in found and not self.names[caller].startswith("0x")
        )


def main(path, count):
    profile = Profile(path)

    def show(name, cost):
        print(f"{cost / count / 1000:8.0f}  {name}")

    print("thousands of instructions for each presentation")
    show("all", sum(profile.own.values()))
    print("\nwhole parts, with all that they call")
    for name, pattern in PARTS:
        show(name, profile.whole_cost(pattern))
    print("\nspread over all parts")
    for name, pattern in FUNCTIONS:
        show(name, profile.own_cost(pattern))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
