# make play   install what a bare system lacks, build, open the game
# make test   the same, then run every test
# make lint   formatting and lints
#
# On macOS and Windows nothing has to be installed: `cargo run --release` and
# `cargo test` do.

CARGO ?= cargo
ARGS ?=

.PHONY: play test lint rules system-play system-test

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

system-play:
	@sh tools/system-packages.sh play

system-test:
	@sh tools/system-packages.sh test
