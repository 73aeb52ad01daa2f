"""An environment for learning agents, in the form of PettingZoo's AEC games.

An action is the number of a move; the mask in each observation says which are legal. The
environment throws the sticks of Tablan itself. The reward is 1 for the winner, -1 for
the loser and 0 after a draw.
"""

import random

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from . import Game, action_count, plane_shape, planes


class TabulaeEnv(AECEnv):
    """A game of one rule set between the agents "player_0", who moves first, and "player_1"."""

    metadata = {"name": "tabulae_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules="tablut/ashton", max_plies=1000, render_mode=None):
        super().__init__()
        self.rules = rules
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self._actions = spaces.Discrete(action_count(rules))
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, plane_shape(rules), numpy.uint8),
                "action_mask": spaces.Box(0, 1, (action_count(rules),), numpy.int8),
            }
        )
        self._random = random.Random()

    def observation_space(self, agent):
        return self._observations

    def action_space(self, agent):
        return self._actions

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._random = random.Random(seed)
        self.game = Game(self.rules)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._throw()

    def observe(self, agent):
        mask = numpy.zeros(action_count(self.rules), numpy.int8)
        if agent == self.agent_selection:
            mask[self.game.legal_actions()] = 1
        return {"observation": planes(self.game), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self.game.play_action(int(action))
        self._throw()
        self._accumulate_rewards()

    def render(self):
        return self.game.position if self.render_mode == "ansi" else None

    def close(self):
        pass

    def _throw(self):
        """Throws the sticks until a move is due, and looks for the end."""
        while self.game.due == "throw":
            throws, weights = zip(*self.game.outcomes())
            self.game.throw(self._random.choices(throws, weights)[0])
        if self.game.due == "over":
            self.terminations = dict.fromkeys(self.agents, True)
            if self.game.winner is not None:
                winner = self.possible_agents[self.game.winner]
                self.rewards = {agent: 1 if agent == winner else -1 for agent in self.agents}
            # Both agents learn of the end in turn.
            self.agent_selection = self._other(self.agent_selection)
        else:
            if len(self.game.plies) >= self.max_plies:
                self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[self.game.side]

    def _other(self, agent):
        return self.possible_agents[1 - self.possible_agents.index(agent)]
