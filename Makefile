# make play       install missing system packages, build, open the game
# make test       install missing system packages, run the tests
# make lint       check formatting and lints
# make rules      run the tests that need no Bevy and no system packages
# make pictures   draw the pictures of README and manual again
# make icon       draw the icon again
# make art        model, light and store the scenes again, with Blender's Python module
#                 (tools/art/README.md); ART_PYTHON is the Python that has it
# make install    install program, menu entry, icon, man pages and completions for
#                 this user; as root with PREFIX=/usr/local for all users
# make uninstall  remove them
# make dist       build the packages (tar.gz, .deb, .rpm) in packages/
# make dist-windows  build the archive for Windows in packages/, with MinGW
# make test-packages  as root: test the packages in a bare Debian 12
# make test-windows  compare the commands for Windows, under Wine, with those of this
#                 system; with ARCHIVE=FILE.zip also open that archive's game
# make web        build the web page in dist/
# make serve      serve dist/ at http://localhost:8000
# make test-web   test the web page in Chromium
#
# macOS and Windows need no packages: use `cargo run` and `cargo test`.

CARGO ?= cargo
ARGS ?=
ART_PYTHON ?= python3
PREFIX ?= $(HOME)/.local
PORT ?= 8000

.PHONY: play test lint rules pictures icon art install install-files uninstall dist dist-windows \
    test-packages test-windows web serve test-web system-play system-test

play: system-play
	$(CARGO) run --locked -- $(ARGS)

test: system-test
	$(CARGO) test --locked --workspace

rules:
	$(CARGO) test --locked --workspace --no-default-features

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --workspace --all-targets --no-default-features -- -D warnings
	$(CARGO) clippy --locked --workspace --all-targets --no-default-features --features server -- -D warnings

# From the tests' sample records: boards, then windows with their panels. The
# reference pictures of the tests are renewed by: PICTURES=new cargo test --test app_headless looks
pictures: system-test
	set -e; run() { $(CARGO) run --locked --quiet -- render tests/records/valid/$$1.tab \
	    --ply $$2 --out assets/pictures/$$3.png --size 960x600 --quality high; }; \
	run tablut-ashton 14 tablut; run tablan 129 tablan; run tablaaza 26 tablaaza
	# The small ones of the title screen need ImageMagick.
	for game in tablut tablan tablaaza; do convert assets/pictures/$$game.png -gravity center \
	    -crop 880x550+0+0 +repage -resize 480x300 -unsharp 0x0.7 -quality 80 \
	    -define webp:method=6 assets/pictures/small/$$game.webp; done
	$(CARGO) run --locked --quiet -- render tests/records/valid/tablut-ashton.tab --ply 1 \
	    --out assets/pictures/photo.png --size 1600x900 --quality high --lens 60 --aperture 6 \
	    --camera=-28,36,0.62,0,-0.2
	# How each game is won.
	set -e; run() { $(CARGO) run --locked --quiet -- render tests/records/valid/$$1.tab \
	    --game $$2 --from $$3 --out assets/pictures/$$4-won.gif --size 480x300; }; \
	run tablut-ashton 2 20 tablut; run tablan 1 394 tablan; run tablaaza 1 42 tablaaza
	$(CARGO) test --locked --test window -- --ignored

# The test that checks the icon also draws it.
icon:
	DRAW_ICON=1 $(CARGO) test --locked --test packaging the_icon

# Everything, or what SCENES names: tablut, tablan, tablaaza, room.
art:
	$(ART_PYTHON) tools/art/make.py $(SCENES)
	$(ART_PYTHON) tools/art/sounds.py

id = org.tabulae.Tabulae
root = $(DESTDIR)$(PREFIX)
share = $(root)/share
icons = $(share)/icons/hicolor
# The program that writes its man pages and completions.
PROGRAM ?= $(root)/bin/tabulae
# How the menu entry starts the program. Quoted, since PREFIX may hold a space.
EXEC ?= "$(PREFIX)/bin/tabulae"

install: system-play
	$(CARGO) install --locked --path . --root "$(root)" --no-track --force
	@$(MAKE) --no-print-directory install-files
	@$(refresh)

# Everything but the program. tools/dist.sh makes the packages of it.
install-files:
	install -d "$(share)/applications" "$(share)/metainfo" "$(share)/mime/packages" \
	    "$(icons)/scalable/apps" "$(icons)/256x256/apps" "$(share)/man/man1" \
	    "$(share)/bash-completion/completions" "$(share)/zsh/site-functions" \
	    "$(share)/fish/vendor_completions.d"
	sed 's|^Exec=tabulae|Exec=$(EXEC)|' packaging/$(id).desktop \
	    > "$(share)/applications/$(id).desktop"
	install -m 644 packaging/$(id).metainfo.xml "$(share)/metainfo/$(id).metainfo.xml"
	install -m 644 packaging/$(id).mime.xml "$(share)/mime/packages/$(id).xml"
	install -m 644 packaging/tabulae.svg "$(icons)/scalable/apps/$(id).svg"
	install -m 644 packaging/tabulae.png "$(icons)/256x256/apps/$(id).png"
	"$(PROGRAM)" generate man "$(share)/man/man1"
	set -e; files=$$(mktemp -d); trap 'rm -r "$$files"' EXIT; \
	"$(PROGRAM)" generate completions "$$files"; \
	install -m 644 "$$files/tabulae.bash" "$(share)/bash-completion/completions/tabulae"; \
	install -m 644 "$$files/_tabulae" "$(share)/zsh/site-functions/_tabulae"; \
	install -m 644 "$$files/tabulae.fish" "$(share)/fish/vendor_completions.d/tabulae.fish"

uninstall:
	rm -f "$(root)/bin/tabulae" "$(share)/applications/$(id).desktop" \
	    "$(share)/metainfo/$(id).metainfo.xml" "$(share)/mime/packages/$(id).xml" \
	    "$(icons)/scalable/apps/$(id).svg" "$(icons)/256x256/apps/$(id).png" \
	    "$(share)/man/man1/tabulae.1" "$(share)/man/man1"/tabulae-*.1 \
	    "$(share)/bash-completion/completions/tabulae" \
	    "$(share)/zsh/site-functions/_tabulae" \
	    "$(share)/fish/vendor_completions.d/tabulae.fish"
	@$(refresh)

# Updates the desktop's lists of programs and file types, if it has the tools. A
# tree under DESTDIR is not in use yet.
refresh = test -n "$(DESTDIR)" || { update-desktop-database -q "$(share)/applications"; \
    update-mime-database "$(share)/mime"; } >/dev/null 2>&1 || true

dist:
	@sh tools/dist.sh

dist-windows:
	@sh tools/dist-windows.sh

test-packages:
	@sh tools/test-packages.sh

test-windows:
	@sh tools/test-windows.sh $(ARCHIVE)

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
