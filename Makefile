# What testers of engines expect: `make EXE=name` builds the engine for this processor and puts it there.
EXE ?= huscarl
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
BUILT := target/release/huscarl.exe
else
BUILT := target/release/huscarl
endif

.PHONY: all portable test ci perft clock latency strength ladder threads clean

all:
	$(CARGO) build --release --bin huscarl
	cp $(BUILT) $(EXE)

# A binary for any processor of the architecture, about a third as fast in the rules.
portable:
	RUSTFLAGS="" $(CARGO) build --release --bin huscarl
	cp $(BUILT) $(EXE)

test:
	$(CARGO) test --workspace

ci:
	.ci/run

# Counts and speed of the rules: by sets, then with every leaf made.
perft:
	$(CARGO) build --release --bin huscarl
	$(BUILT) perft hnefatafl7 6
	$(BUILT) perft tawlbwrdd 5
	$(BUILT) perft thud 4
	$(BUILT) perft thud-rulebook 4
	$(BUILT) perft hnefatafl7 5 --made
	$(BUILT) perft tawlbwrdd 4 --made
	$(BUILT) perft thud 3 --made

# Losses on time over 200 games of each variant, two at a time.
clock:
	$(CARGO) build --release --workspace
	target/release/trials clock

# The promises of protocol.md on how soon the engine answers.
latency:
	$(CARGO) build --release --workspace
	target/release/trials latency

# Games against the fixed opponents, forced wins, and silly moves in the engine's own games.
strength:
	$(CARGO) build --release --workspace
	target/release/trials against random
	target/release/trials against yardstick
	target/release/trials forced
	target/release/trials silly

# The levels against each other, and the lowest against the fixed opponents.
ladder:
	$(CARGO) build --release --workspace
	target/release/trials ladder

# Nodes of two threads against those of one.
threads:
	$(CARGO) build --release --workspace
	target/release/trials threads

clean:
	$(CARGO) clean
