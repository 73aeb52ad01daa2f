# Two agents in the environment; here both choose at random.
from tabulae.env import TabulaeEnv

env = TabulaeEnv("tablan")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    done = termination or truncation
    env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    if done:
        print(agent, reward)
