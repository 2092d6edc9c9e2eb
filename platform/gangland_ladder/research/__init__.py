"""The games as PettingZoo environments; they require the extra `gangland[research]` (docs/research.md)."""

from gangland_ladder.common.runtime import require_modules

require_modules("gymnasium", "pettingzoo")

from gangland_ladder.research.environments import GameEnv, ParallelGameEnv, env, parallel_env  # noqa: E402

__all__ = ["GameEnv", "ParallelGameEnv", "env", "parallel_env"]
