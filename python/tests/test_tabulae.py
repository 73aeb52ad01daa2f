"""Tests of the Python package. `python/check.sh` builds it and runs them."""

import contextlib
import copy
import io
import json
import pathlib
import subprocess
import sys
import unittest
import warnings

import tabulae

HERE = pathlib.Path(__file__).resolve().parent


class Rules(unittest.TestCase):
    def test_every_rule_set_is_played_to_its_end(self):
        for rules in tabulae.rule_sets():
            game, count = tabulae.Game(rules), tabulae.action_count(rules)
            planes, rows, columns = tabulae.plane_shape(rules)
            self.assertEqual(len(tabulae.plane_names(rules)), planes)
            while game.due != "over" and len(game.plies) < 600:
                self.assertEqual(len(game.plane_bytes()), planes * rows * columns)
                if game.due == "throw":
                    self.assertEqual(sum(weight for _, weight in game.outcomes()), 16)
                    game.throw(game.outcomes()[len(game.plies) % len(game.outcomes())][0])
                    continue
                actions, moves = game.legal_actions(), game.legal_moves()
                self.assertEqual(len(set(actions)), len(moves), game)
                self.assertTrue(all(0 <= action < count for action in actions))
                move = moves[len(game.plies) * 7 % len(moves)]
                other = copy.deepcopy(game)
                other.play_action(game.action(move))
                game.play(move)
                self.assertEqual(other.plies, game.plies)
            if game.due == "over":
                self.assertIsNone(game.side)
                self.assertEqual(game.legal_moves(), [])
                self.assertTrue(game.reason)

    def test_captures_errors_and_undo(self):
        start = "4B4/2W6/9/9/3BK4/9/9/9/4B4 w"
        game = tabulae.Game("tablut/saami", start)
        self.assertEqual(game.play("c8-c5"), "c8-c5xd5")
        self.assertTrue(game.undo())
        self.assertEqual((game.position, game.undo()), (start, False))
        with self.assertRaisesRegex(ValueError, "only the king may stop on the castle"):
            tabulae.Game("tablut/saami", "9/4W4/9/9/9/4B4/2K6/9/9 w").play("e8-e5")
        for wrong in [("chess",), ("tablut/saami", "9/9 w")]:
            with self.assertRaises(ValueError):
                tabulae.Game(*wrong)
        with self.assertRaises(IndexError):
            tabulae.Game("tablaaza").play_action(99)

    def test_planes_show_the_position(self):
        game = tabulae.Game("tablut/saami")
        planes, rows, columns = tabulae.plane_shape(game.rules)
        data = game.plane_bytes()
        counts = [sum(data[at * 81 : (at + 1) * 81]) for at in range(planes)]
        self.assertEqual(counts, [8, 16, 1, 32, 0, 81])
        self.assertEqual(data[2 * 81 + 4 * 9 + 4], 1, "the king on e5")


class Engines(unittest.TestCase):
    def test_the_best_move_wins(self):
        game = tabulae.Game("tablut/saami", "4B4/9/9/9/9/9/4K4/9/9 w")
        move, value = game.best_move(nodes=1000)
        game.play(move)
        self.assertEqual((value, game.winner, game.reason), (1.0, 1, "escape"))
        self.assertEqual(game.best_move(), (None, None))

    def test_self_play_repeats_and_replays(self):
        for rules in tabulae.rule_sets():
            options = {"games": 3, "nodes": 50, "seed": 5, "max_plies": 200}
            games = tabulae.self_play(rules, **options)
            self.assertEqual(games, tabulae.self_play(rules, threads=3, **options))
            self.assertEqual([game["game"] for game in games], [1, 2, 3])
            for played in json.loads(json.dumps(games)):
                game = tabulae.Game(rules)
                for ply in played["plies"]:
                    game.play(ply)
                self.assertEqual(game.reason or "length", played["reason"])
                values = [value for value in played["values"] if value is not None]
                self.assertTrue(values and all(0 <= value <= 1 for value in values))


class Examples(unittest.TestCase):
    def test_they_run_and_are_ten_lines(self):
        for path in sorted((HERE.parent / "examples").glob("*.py")):
            lines = [line for line in path.read_text().splitlines() if line.strip()]
            self.assertLessEqual(len(lines), 13, path)
            run = subprocess.run([sys.executable, path], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""), path)
            self.assertTrue(run.stdout.strip(), path)


class Environment(unittest.TestCase):
    def test_pettingzoos_own_test_passes(self):
        from pettingzoo.test import api_test
        from tabulae.env import TabulaeEnv

        for rules in tabulae.rule_sets():
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                # It would like observations without a mask.
                warnings.simplefilter("ignore", UserWarning)
                api_test(TabulaeEnv(rules, max_plies=300), num_cycles=150)


if __name__ == "__main__":
    unittest.main()
