# The engine against itself, with its values.
import tabulae

game = tabulae.Game("tablaaza")
while game.due == "move":
    move, value = game.best_move(nodes=500)
    print(f"{game.side_names[game.side]:6} {move:4} {value:.2f}")
    game.play(move)
print(game.side_names[game.winner], "wins:", game.reason)
