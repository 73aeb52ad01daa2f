# make play       install missing system packages, build, open the game
# make test       install missing system packages, run every test
# make lint       check formatting and lints
# make rules      run the tests that need no Bevy and no system packages
# make pictures   draw the pictures of README and manual again
# make icon       draw the icon again
# make install    install program, menu entry and icon for this user;
#                 as root with PREFIX=/usr/local for all users
# make uninstall  remove them
# make web        build the web page in dist/
# make serve      serve dist/ at http://localhost:8000
# make test-web   test the web page in Chromium
#
# macOS and Windows need no packages: use `cargo run --release` and `cargo test`.

CARGO ?= cargo
ARGS ?=
PREFIX ?= $(HOME)/.local
PORT ?= 8000

.PHONY: play test lint rules pictures icon install uninstall web serve test-web system-play \
    system-test

play: system-play
	$(CARGO) run --release -- $(ARGS)

test: system-test
	$(CARGO) test --locked

rules:
	$(CARGO) test --locked --no-default-features

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --all-targets --no-default-features -- -D warnings

# From the tests' sample records: boards, then windows with their panels. The
# reference pictures of the tests are renewed by: PICTURES=new cargo test --test looks
pictures: system-test
	set -e; run() { $(CARGO) run --locked --quiet -- render tests/records/valid/$$1.tab \
	    --ply $$2 --out assets/pictures/$$3.png --size 960x600; }; \
	run tablut-ashton 14 tablut; run tablan 126 tablan; run tablaaza 26 tablaaza
	$(CARGO) run --locked --quiet -- render tests/records/valid/tablut-ashton.tab \
	    --ply 5 --out assets/pictures/replay.gif --size 360x225
	$(CARGO) test --locked --test window -- --ignored

# The test that checks the icon also draws it.
icon:
	DRAW_ICON=1 $(CARGO) test --locked --test packaging the_icon

root = $(DESTDIR)$(PREFIX)
icons = $(root)/share/icons/hicolor

install: system-play
	$(CARGO) install --locked --path . --root "$(root)" --no-track --force
	install -d "$(root)/share/applications" "$(icons)/scalable/apps" "$(icons)/256x256/apps"
	sed 's|^Exec=tabulae|Exec="$(PREFIX)/bin/tabulae"|' packaging/tabulae.desktop \
	    > "$(root)/share/applications/tabulae.desktop"
	install -m 644 packaging/tabulae.svg "$(icons)/scalable/apps/tabulae.svg"
	install -m 644 packaging/tabulae.png "$(icons)/256x256/apps/tabulae.png"

uninstall:
	rm -f "$(root)/bin/tabulae" "$(root)/share/applications/tabulae.desktop" \
	    "$(icons)/scalable/apps/tabulae.svg" "$(icons)/256x256/apps/tabulae.png"

web:
	@sh tools/web.sh dist

serve:
	@test -f dist/index.html || { echo "run make web first" >&2; exit 1; }
	@echo "http://localhost:$(PORT)"
	@python3 -m http.server --bind 127.0.0.1 --directory dist $(PORT)

# Requires Node.js, npm and Chromium. CHROMIUM sets the browser's path if it is not
# /usr/bin/chromium.
test-web:
	@test -f dist/index.html || { echo "run make web first" >&2; exit 1; }
	cd tests/web && npm ci --silent --no-audit --no-fund && npm test

system-play:
	@sh tools/system-packages.sh play

system-test:
	@sh tools/system-packages.sh test
