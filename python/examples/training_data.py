# Positions and targets for a network, from self-play.
import tabulae

boards, targets = [], []
for played in tabulae.self_play("tablut/ashton", games=4, nodes=200, threads=2):
    game = tabulae.Game(played["rules"])
    for ply, value in zip(played["plies"], played["values"]):
        if value is not None:
            boards.append(tabulae.planes(game))
            targets.append(value)
        game.play(ply)
print(len(boards), "positions of shape", boards[0].shape)
