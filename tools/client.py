#!/usr/bin/env python3
"""Plays one game against Huscarl: the engine has one side, random legal moves the other."""
import argparse
import random
import sys
import threading
from subprocess import PIPE, Popen, TimeoutExpired

class EngineError(Exception):
    """The engine died, stayed silent for too long, or broke the protocol."""

class Engine:
    """A running engine: send a line, wait for the line that answers it."""
    def __init__(self, path):
        self.process = Popen([path], stdin=PIPE, stdout=PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")  # bufsize=1: flushed at each end of line

    def wait_for(self, first, seconds=60):
        """Reads up to the line whose first word is `first`; returns the words after it."""
        watchdog = threading.Timer(seconds, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                words = line.split()
                if words[:1] == [first]:
                    return words[1:]
                if line.startswith("info string error:"):
                    print(line.rstrip(), file=sys.stderr)
        finally:
            watchdog.cancel()
        raise EngineError(f"the engine ended, or was silent too long, before {first!r}")

    def query(self, question):
        self.send("query " + question)
        return self.wait_for("response")

def play(engine, side, limit, rng):
    """Plays from the start position to the end of the game; returns the moves."""
    moves = []
    while True:
        engine.send(" ".join(["position startpos moves"] + moves))
        if engine.query("gameover") == ["true"]:
            return moves
        player = 1 if engine.query("p1turn") == ["true"] else 2
        if player == side:
            engine.send(f"go {limit}")
            moves.append(engine.wait_for("bestmove")[0])
        else:
            moves.append(rng.choice(sorted(engine.query("moves"))))
        print(f"{len(moves)}. player {player} {moves[-1]}")

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="target/release/huscarl", metavar="PATH")
    parser.add_argument("--variant", default="hnefatafl7")
    parser.add_argument("--side", type=int, choices=(1, 2), default=2, help="the engine's side")
    parser.add_argument("--seed", type=int, help="seed of the random moves")
    parser.add_argument("--nodes", type=int, default=5000, help="positions per engine move")
    args = parser.parse_args()
    engine = Engine(args.engine)
    engine.send("uci")
    engine.wait_for("uciok")
    engine.send(f"setoption name UCI_Variant value {args.variant}")
    if engine.query("variant") != [args.variant]:
        raise EngineError(f"no such variant: {args.variant}")
    moves = play(engine, args.side, f"nodes {args.nodes}", random.Random(args.seed))
    result, reason, score = map(engine.query, ("result", "reason", "score"))
    print("result", *result, "reason", *reason, "score", *score, "plies", len(moves))
    engine.send("quit")
    if engine.process.wait(timeout=5) != 0 or reason == ["illegal-move"]:
        raise EngineError("the game did not end properly")

if __name__ == "__main__":
    try:
        main()
    except (EngineError, OSError, TimeoutExpired) as error:
        sys.exit(f"client.py: {error}")
