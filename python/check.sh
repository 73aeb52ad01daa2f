#!/bin/sh
# Builds the Python package into an environment of its own and runs its tests.
# PYTHON chooses the interpreter (3.11 or newer).
set -eu
cd "$(dirname "$0")"
environment=${1:-target/environment}
[ -d "$environment" ] || "${PYTHON:-python3}" -m venv "$environment"
"$environment/bin/pip" install --quiet 'maturin>=1.7,<2' numpy gymnasium 'pettingzoo>=1.24'
VIRTUAL_ENV=$(cd "$environment" && pwd) "$environment/bin/maturin" develop --quiet --locked
"$environment/bin/python" -W error::DeprecationWarning:tabulae -m unittest discover -s tests
