"""The cards and the figures of Verso.

Source: help page Gamehelpverso for the totals (90 cards, 15 a player, 35 alone, 7 points for a square, the
levels) and for what holds of a card: the other face has another colour, 1 point against 3, and a
neighbouring value in the circle of 1 to 6; a joker may stand on one face. Which 90 cards there are is our own
design, since no list was found: all 72 number cards with these traits (6 pairs of values, 6 ordered pairs
of colours, 2 ways to give the points) and 18 jokers (6 ordered pairs of colours, 3 values opposite:
1, 3, 5 for blue > green > orange > blue, 2, 4, 6 the other way). So each colour has 6 joker faces, each colour
and value stands on 9 faces, and 1 and 3 points on 90 faces each.

A face is ``B2``, ``GJ``, ``O6``: colour and value. A card is written with the face that shows first,
each face followed by its points: ``B21G33`` shows blue 2 for 1 point and has green 3 for 3 points behind.
"""

from __future__ import annotations

from games.engine.messages import Msg

Face = str

COLOURS = "BGO"
JOKER = "J"
VALUES = range(1, 7)

CARDS_A_PLAYER = 15
SOLO_CARDS = 35
SQUARE_POINTS = 7
SQUARE_SIDE = 3  # a square is three cards of each of the three colours
SERIES_MIN = 2
SERIES_DISCARD = 2
LEVELS = ((60, 6), (55, 5), (50, 4), (45, 3), (40, 2), (35, 1))  # alone: (points at least, level)

# fmt: off
DECK = (
    "B11G23", "B13G21", "B11O23", "B13O21", "G11B23", "G13B21",
    "G11O23", "G13O21", "O11B23", "O13B21", "O11G23", "O13G21",
    "B21G33", "B23G31", "B21O33", "B23O31", "G21B33", "G23B31",
    "G21O33", "G23O31", "O21B33", "O23B31", "O21G33", "O23G31",
    "B31G43", "B33G41", "B31O43", "B33O41", "G31B43", "G33B41",
    "G31O43", "G33O41", "O31B43", "O33B41", "O31G43", "O33G41",
    "B41G53", "B43G51", "B41O53", "B43O51", "G41B53", "G43B51",
    "G41O53", "G43O51", "O41B53", "O43B51", "O41G53", "O43G51",
    "B51G63", "B53G61", "B51O63", "B53O61", "G51B63", "G53B61",
    "G51O63", "G53O61", "O51B63", "O53B61", "O51G63", "O53G61",
    "B61G13", "B63G11", "B61O13", "B63O11", "G61B13", "G63B11",
    "G61O13", "G63O11", "O61B13", "O63B11", "O61G13", "O63G11",
    "BJ1G13", "BJ3G31", "BJ1G53", "BJ3O21", "BJ1O43", "BJ3O61",
    "GJ3B21", "GJ1B43", "GJ3B61", "GJ1O13", "GJ3O31", "GJ1O53",
    "OJ1B13", "OJ3B31", "OJ1B53", "OJ3G21", "OJ1G43", "OJ3G61",
)
# fmt: on

FACES: dict[Face, Msg] = {}
for _letter, _numbered, _joker in (
    ("B", "blue {value}", "blue joker"),
    ("G", "green {value}", "green joker"),
    ("O", "orange {value}", "orange joker"),
):
    FACES |= {f"{_letter}{value}": Msg(_numbered, value=value) for value in VALUES}
    FACES[_letter + JOKER] = Msg(_joker)

PLACE: dict[Face, int] = {face: place for place, face in enumerate(FACES)}
"""The order in which a tableau lies: by colour, then by value, the joker last."""

COLOUR_NAMES = {"B": Msg("blue"), "G": Msg("green"), "O": Msg("orange")}
