"""The contract of a game and the runtime that plays it. Pure Python: no Django, no clock, no ``random``."""

from games.engine.bots import choose
from games.engine.errors import BadOptions, BrokenGame, GameError, IllegalMove, UnknownGame
from games.engine.game import Game, LazyMoves, Line, Meta, Moves, Outcome, Step
from games.engine.match import Match, Row, Snapshot, private_copy
from games.engine.messages import Msg
from games.engine.options import (
    OptionField,
    asked,
    differing,
    option_fields,
    pairwise,
    read_options,
)
from games.engine.registry import all_games, broken_games, game_name, get_game
from games.engine.rng import Rng, seed_from_int, seed_hash

__all__ = [
    "BadOptions",
    "BrokenGame",
    "Game",
    "GameError",
    "IllegalMove",
    "LazyMoves",
    "Line",
    "Match",
    "Meta",
    "Moves",
    "Msg",
    "OptionField",
    "Outcome",
    "Rng",
    "Row",
    "Snapshot",
    "Step",
    "UnknownGame",
    "all_games",
    "asked",
    "broken_games",
    "choose",
    "differing",
    "game_name",
    "get_game",
    "option_fields",
    "pairwise",
    "private_copy",
    "read_options",
    "seed_from_int",
    "seed_hash",
]
