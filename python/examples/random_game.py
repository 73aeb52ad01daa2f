# A game of random moves.
import random

import tabulae

game = tabulae.Game("tablut/saami")
while game.due == "move" and len(game.plies) < 400:
    game.play(random.choice(game.legal_moves()))
print(" ".join(game.plies[-4:]), game.winner, game.reason)
