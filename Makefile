# What testers of engines expect: `make EXE=name` builds the engine for this processor and puts it there.
EXE ?= huscarl
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
BUILT := target/release/huscarl.exe
else
BUILT := target/release/huscarl
endif

# Variants that matches are played of, one after the other, and where they leave records and reports.
VARIANTS ?= thud thud-rulebook tawlbwrdd tawlbwrdd-bell hnefatafl7
RESULTS := target/results/$(shell date +%Y-%m-%dT%H-%M-%S)
ARENA := target/release/arena
MATCHES := tools/arena/matches

# $(call matches,NAME,VARIANTS,FLAGS): the match NAME.toml of each variant, from its balanced openings if there is a file.
define matches
for variant in $(2); do \
		openings=tools/arena/openings/$$variant.txt; \
		if [ -f $$openings ]; then book="--openings file=$$openings order=random"; else book=; fi; \
		$(ARENA) run $(MATCHES)/$(1).toml --variant $$variant --out $(RESULTS)/$(1)-$$variant $$book $(3) || exit 1; \
	done
endef

.PHONY: all portable test ci perft clock latency strength tenth ladder duel equal-time threads suite openings workspace clean

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
clock: workspace
	$(call matches,clock,$(VARIANTS))

# The promises of protocol.md on how soon the engine answers.
latency: workspace
	target/release/trials latency

# Games against the fixed opponents, forced wins, and silly moves in the engine's own games.
strength: workspace
	$(call matches,random,$(VARIANTS))
	$(call matches,yardstick,$(filter-out thud%,$(VARIANTS)))
	$(call matches,yardstick,$(filter thud%,$(VARIANTS)),--nodes 50000)
	target/release/trials forced
	target/release/trials silly

# Games against the fixed opponent at a tenth of those nodes.
tenth: workspace
	$(call matches,yardstick,$(filter-out thud%,$(VARIANTS)),--nodes 500)
	$(call matches,yardstick,$(filter thud%,$(VARIANTS)),--nodes 5000)

# The levels against each other, and the lowest against the fixed opponents.
ladder: workspace
	for variant in $(VARIANTS); do \
		play="$(ARENA) run $(MATCHES)/ladder.toml --variant $$variant --out $(RESULTS)/ladder-$$variant"; \
		options="option.Hash=16 option.Offers=false"; \
		for level in 0 4 8 12 16; do \
			upper=$$((level + 4)); \
			$$play-$$upper \
				--engine name=level-$$upper $$options "option.Skill Level=$$upper" \
				--engine name=level-$$level $$options "option.Skill Level=$$level" || exit 1; \
		done; \
		for opponent in yardstick random; do \
			$$play-$$opponent \
				--engine name=level-0 $$options "option.Skill Level=0" \
				--engine cmd=target/release/opponent arg=$$opponent name=$$opponent || exit 1; \
		done; \
	done

# This build against the one that was kept as huscarl-old.
duel: workspace
	$(call matches,duel,$(VARIANTS))

# The same at equal time, 20 ms a move; `TIME=0.05` gives 50.
TIME ?= 0.02
equal-time: workspace
	$(call matches,equal-time,$(VARIANTS),--each st=$(TIME))

# Nodes of two threads against those of one, the time they take to a depth, and games between the two.
threads: workspace
	target/release/trials threads
	target/release/trials speedup --variant hnefatafl7 --depth 14
	target/release/trials speedup --variant tawlbwrdd --depth 9
	target/release/trials speedup --variant thud --depth 8
	$(call matches,threads,$(VARIANTS),--each st=$(TIME))

workspace:
	$(CARGO) build --release --workspace

# Tactical positions with known answers: how many the engine solves in a second each.
suite: workspace
	target/release/trials suite

# The files of balanced openings. Each game has the centre at which both roles win in games between equals.
BOOK = $(ARENA) openings --count 500 --plies 4..8 --seed 1
openings: workspace
	$(BOOK) --variant hnefatafl7 --centre 0 --bound 150 --games 8 --game-nodes 10000 --out tools/arena/openings/hnefatafl7.txt
	$(BOOK) --variant tawlbwrdd --centre -100 --bound 100 --games 4 --game-nodes 3000 --out tools/arena/openings/tawlbwrdd.txt
	$(BOOK) --variant tawlbwrdd-bell --centre median --bound 60 --out tools/arena/openings/tawlbwrdd-bell.txt
	$(BOOK) --variant thud --out tools/arena/openings/thud.txt
	$(BOOK) --variant thud-rulebook --out tools/arena/openings/thud-rulebook.txt

clean:
	$(CARGO) clean
