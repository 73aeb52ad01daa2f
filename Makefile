# make play   install what a bare system lacks, build, open the game
# make test   the same, then run every test
# make lint   formatting and lints
#
# On macOS and Windows nothing has to be installed: `cargo run --release` and
# `cargo test` do.

CARGO ?= cargo
ARGS ?=

.PHONY: play test lint rules pictures system-play system-test

play: system-play
	$(CARGO) run --release -- $(ARGS)

test: system-test
	$(CARGO) test --locked

# Rules, engines, records and commands only: no Bevy, no system libraries.
rules:
	$(CARGO) test --locked --no-default-features

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --no-default-features -- -D warnings

# The pictures of the README, from the sample records of the tests.
pictures: system-play
	$(CARGO) build --release
	set -e; run() { $(CARGO) run --release --quiet -- render tests/records/valid/$$1.tab \
	    --ply $$2 --out assets/pictures/$$3.png --size 960x600; }; \
	run tablut-ashton 24 tablut; run tablan 61 tablan; run tablaaza 36 tablaaza

system-play:
	@sh tools/system-packages.sh play

system-test:
	@sh tools/system-packages.sh test
