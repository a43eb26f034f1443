"""Machiavelli for two to six, as the help pages tell it: an Italian rummy around one common table.

Sources: three dated revisions of the help page (2019-09-11 and two of 2019-09-24), an older undated one,
public pages where these are silent. Where they disagree or say nothing:

* Aces: the prose says "always low", the newest change says in bold that queen, king, ace is a run. So an
  ace is low or high; ``ace_mode`` has the other readings. King, ace, two is never a run.
* The stock: the newest page says that nobody wins when it is empty, the older ones the fewest cards
  (``deck_end``). The game ends with the last card, once it is in the hand.
* At most 13 cards of one's own hand in a turn (newest page); cards of the table do not count.
* "Restoring" a table and drawing is the same as not playing, so there is no such action. The three cards
  for a table that cannot be restored are for real tables, as the page says itself.
* Packs, who begins (drawn by lot), the places of those who did not win (fewer cards are better,
  equal numbers share) and the order of the reasons why a table is refused are ours.

What one takes up and tries before a turn is done stays in the browser: a turn is one action, the whole new
table. Units: seats count from 0, clockwise; scores are cards left in the hand, few are good. Cards are
``10H.2``, rank, suit and pack; two of one rank and suit are identical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from games.engine import Game, IllegalMove, Line, Meta, Moves, Msg, Outcome, Rng, Step, private_copy
from games.engine.cards import Card
from games.library.machiavelli import thinking
from games.library.machiavelli.groups import arranged, fault
from games.library.machiavelli.listing import Play, easy_plays, loans
from games.library.machiavelli.material import IN_ORDER, PACKS_BY_SEATS, packs
from games.library.machiavelli.state import (
    Action,
    Commit,
    Draw,
    Last,
    MachiavelliOptions,
    MachiavelliState,
)

DRAW = Draw()
EXAMPLES = 8  # plays that are listed: each holds the whole table
NAMED = 4  # cards that a refusal names

PROMPT = Msg("Play cards from your hand, or draw one.")


class Machiavelli(Game[MachiavelliState, Action, MachiavelliOptions]):
    """Get rid of your cards: all sets and runs on the table belong to everybody."""

    slug = "machiavelli"
    version = 1
    meta = Meta(
        name="Machiavelli",
        seats=(2, 3, 4, 5, 6),
        minutes=30,
        complexity=2,
        designer="traditional (Italy)",
        provenance=(
            "Rules from the help pages of 2019-09-24 and older ones. Packs by number of players and"
            " the places of those who did not win are ours; so is a third pack for six."
        ),
        hidden=True,
        max_plies=420,  # each turn takes a card off the stock or puts one on the table
    )
    state_type = MachiavelliState
    action_type = Action
    options_type = MachiavelliOptions
    advises = True

    def setup(self, seats: int, options: MachiavelliOptions, rng: Rng) -> MachiavelliState:
        stock = rng.shuffled(packs(pack_count(options, seats)))
        hands = []
        for _ in range(seats):
            hands.append(sorted(stock[-options.hand_size :], key=IN_ORDER.__getitem__))
            del stock[-options.hand_size :]
        return MachiavelliState(
            options=options,
            hands=hands,
            stock=stock,
            turn=rng.below(seats),
            drawn=[None] * seats,
            begun_with=len(stock),
        )

    def seat_count(self, state: MachiavelliState) -> int:
        return len(state.hands)

    def pending(self, state: MachiavelliState) -> dict[int, str]:
        return {} if state.over else {state.turn: f"turn:{state.turn_number}"}

    def moves(self, state: MachiavelliState, seat: int) -> Moves[Action]:
        plays = easy_plays(state.table, state.hands[seat], state.options.ace_mode, most(state))
        return Moves([DRAW, *commits(state, plays[-EXAMPLES:])], complete=False, prompt=PROMPT)

    def check(self, state: MachiavelliState, seat: int, action: Action) -> None:
        if isinstance(action, Commit):  # one may draw whatever one holds
            check_table(state, seat, action.groups)

    def apply(self, state: MachiavelliState, seat: int, action: Action, step: Step) -> None:
        if isinstance(action, Draw):
            draw(state, seat, step)
        else:
            commit(state, seat, action.groups, step)
        if not state.over:
            next_turn(state, step)

    def view(self, state: MachiavelliState, seat: int | None) -> dict[str, Any]:
        """``table`` lists the groups as they lie, ``hand_sizes`` is by seat, ``stock`` a number. ``last``
        is what the seat before did: ``{"seat", "played", "moved"}``, no cards played where it drew;
        or None. ``hand`` and ``drawn``, the card that came last, are the viewer's own.
        """
        last = state.last
        return {
            "turn": None if state.over else state.turn,
            "turn_number": state.turn_number,
            "round": round_number(state),
            "table": state.table,
            "hand": [] if seat is None else state.hands[seat],
            "drawn": None if seat is None else state.drawn[seat],
            "hand_sizes": [len(hand) for hand in state.hands],
            "stock": len(state.stock),
            "last": last and {"seat": last.seat, "played": last.played, "moved": last.moved},
            "ace_mode": state.options.ace_mode,
            "limit": state.options.turn_card_limit,
        }

    def reveal(self, state: MachiavelliState) -> dict[str, Any]:
        """As for a spectator, with ``hands`` by seat."""
        return {**self.view(state, None), "hands": state.hands}

    def outcome(self, state: MachiavelliState) -> Outcome | None:
        if not state.over:
            return None
        scores = [len(hand) for hand in state.hands]
        ranks = [1 + sum(other < score for other in scores) for score in scores]
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if 0 in scores:
            text, reason = Msg("{seat} has no cards left.", seat=winners[0]), "empty_hand"
        elif state.options.deck_end == "nobody":
            text, reason = Msg("The stock is empty: nobody wins."), "stock_empty"
            ranks = [1] * len(scores)
        elif len(winners) == 1:
            text = Msg("The stock is empty: {seat} has the fewest cards.", seat=winners[0])
            reason = "fewest_cards"
        else:
            text = Msg("The stock is empty: {seats} have the fewest cards.", seats=winners)
            reason = "fewest_cards"
        return Outcome(ranks=ranks, scores=scores, reason=reason, text=text.data())

    def value(self, state: MachiavelliState, seat: int) -> float:
        """Own cards count against, the smallest other hand a little for a seat."""
        sizes = [len(hand) for hand in state.hands]
        return min(size for other, size in enumerate(sizes) if other != seat) / 2 - sizes[seat]

    def ideas(self, state: MachiavelliState, seat: int) -> Sequence[Action]:
        """Drawing, and all that the table takes as it lies or for one loan."""
        mode, hand = state.options.ace_mode, state.hands[seat]
        plays = easy_plays(state.table, hand, mode, most(state))
        plays += [play for play in loans(state.table, hand, mode) if len(play.cards) <= most(state)]
        return [DRAW, *commits(state, plays)]

    def think(self, worlds: Iterator[MachiavelliState], seat: int, rng: Rng) -> Action:
        """Most cards at once: what others hold tells nothing about what one can play."""
        (state,) = islice(worlds, 1)
        groups = thinking.best_table(
            state.table, state.hands[seat], state.options.ace_mode, most(state)
        )
        return DRAW if groups is None else Commit(groups)

    def advice(self, state: MachiavelliState, seat: int) -> Msg:
        """How many cards can be played at once; at least how many, where the search is given up."""
        mode, hand = state.options.ace_mode, state.hands[seat]
        found = thinking.search(state.table, hand, mode, most(state), thinking.HINT_BOUND)
        if not found.sure:
            if found.count == 0:
                return Msg("Nothing simple fits; the table is too full to try everything.")
            return Msg("At least {count} of your cards can be played now.", count=found.count)
        if found.count == 0:
            return Msg("Nothing can be played now, however you rearrange: draw.")
        if found.count == 1:
            return Msg("One of your cards can be played now, and no more at once.")
        return Msg(
            "{count} of your cards can be played now, and no more at once.", count=found.count
        )

    def resample(self, state: MachiavelliState, seat: int | None, rng: Rng) -> MachiavelliState:
        """Whatever lies neither on the table nor in the viewer's hand is dealt anew."""
        other = private_copy(self, state)
        hidden = [place for place in range(len(state.hands)) if place != seat]
        unseen = [*state.stock, *(card for place in hidden for card in state.hands[place])]
        cards = rng.shuffled(sorted(unseen, key=IN_ORDER.__getitem__))
        for place in hidden:
            hand = [cards.pop() for _ in state.hands[place]]
            if state.drawn[place] is not None:
                other.drawn[place] = hand[0]
            other.hands[place] = sorted(hand, key=IN_ORDER.__getitem__)
        other.stock = cards
        return other

    def progress(self, state: MachiavelliState) -> float:
        """By the stock or the smallest hand, whichever is nearer to its end."""
        if state.over:
            return 1.0
        smallest = min(len(hand) for hand in state.hands)
        by_stock = 1 - len(state.stock) / max(1, state.begun_with)
        return max(0.0, by_stock, 1 - smallest / state.options.hand_size)

    def opening(self, state: MachiavelliState) -> list[Line]:
        return [
            Line(round_heading(1).data(), heading=True),
            Line(Msg("{seat} begins.", you="You begin.", seat=state.turn).data()),
        ]

    def summary(self, state: MachiavelliState) -> Msg:
        text = "Round {round}; {stock} cards in the stock"
        if len(state.stock) == 1:
            text = "Round {round}; {stock} card in the stock"
        return Msg(text, round=round_number(state), stock=len(state.stock))

    def standing(self, state: MachiavelliState) -> list[int]:
        """The cards left in each hand."""
        return [len(hand) for hand in state.hands]

    def label(self, state: MachiavelliState, seat: int, action: Action) -> Msg:
        if isinstance(action, Draw):
            return Msg("Draw a card")
        on_table = {card for group in state.table for card in group}
        played = [card for group in action.groups for card in group if card not in on_table]
        return Msg("Play {cards}", cards=sorted(played, key=IN_ORDER.__getitem__))


def pack_count(options: MachiavelliOptions, seats: int) -> int:
    """How many packs are shuffled together."""
    return PACKS_BY_SEATS[seats] if options.decks == "auto" else options.decks


def most(state: MachiavelliState) -> int:
    """How many cards of a hand one turn may take."""
    return state.options.turn_card_limit or len(state.hands[state.turn])


def round_number(state: MachiavelliState) -> int:
    """From 1; everybody has one turn in each."""
    return (state.turn_number - 1) // len(state.hands) + 1


def round_heading(number: int) -> Msg:
    return Msg("Round {round}", round=number)


def commits(state: MachiavelliState, plays: Sequence[Play]) -> list[Commit]:
    """Each play as the whole table that it makes."""
    return [Commit(play.table(state.table)) for play in plays]


# -- what a new table must be ----------------------------------------------------------------


def check_table(state: MachiavelliState, seat: int, groups: list[list[Card]]) -> None:
    """Raise the first reason why ``groups`` cannot be the table after this turn."""
    cards = [card for group in groups for card in group]
    laid = set(cards)
    check_cards(state, cards, laid)
    on_table = {card for group in state.table for card in group}
    for group in state.table:
        for card in group:
            if card not in laid:
                raise IllegalMove(
                    "missing_table_card",
                    Msg("The {card} lies on the table and must stay there.", card=card),
                )
    hand = set(state.hands[seat])
    played = [card for card in cards if card not in on_table]
    for card in played:
        if card not in hand:  # one sentence, wherever it is
            raise IllegalMove("not_in_hand", Msg("You do not hold the {card}.", card=card))
    if not played:
        raise IllegalMove("nothing_played", "Play at least one card from your hand, or draw.")
    if len(played) > most(state):
        raise IllegalMove(
            "too_many_cards",
            Msg(
                "That is {played} cards: at most {limit} from your hand in one turn.",
                played=len(played),
                limit=most(state),
            ),
        )
    check_groups(state, groups)


def check_cards(state: MachiavelliState, cards: list[Card], laid: set[Card]) -> None:
    """Each card once, and each a card of this table's packs."""
    seen: set[Card] = set()
    if len(laid) < len(cards):
        for card in cards:
            if card in seen:
                raise IllegalMove("duplicate_card", "A card cannot lie in two places.")
            seen.add(card)
    highest = pack_count(state.options, len(state.hands))
    for card in cards:
        if card not in IN_ORDER or int(card.partition(".")[2]) > highest:
            raise IllegalMove("unknown_card", "That card is not one of this game.")


def check_groups(state: MachiavelliState, groups: list[list[Card]]) -> None:
    """Raise ``bad_group:<place>`` for the first that is none, places from 0."""
    for place, group in enumerate(groups):
        why = fault(group, state.options.ace_mode)
        if why is not None:
            raise IllegalMove(f"bad_group:{place}", fault_words(place, group, why))


def fault_words(place: int, group: list[Card], why: str) -> Msg:
    """Which group is none, and why; the first of its cards by name."""
    if not group:
        return Msg(f"Group {{group}} {why}.", group=place + 1)
    more = ", ..." if len(group) > NAMED else ""
    return Msg(f"Group {{group}} ({{cards}}{more}) {why}.", group=place + 1, cards=group[:NAMED])


# -- a turn ----------------------------------------------------------------------------------


def draw(state: MachiavelliState, seat: int, step: Step) -> None:
    """One card from the stock; with the last one the game is over."""
    card = state.stock.pop()
    state.hands[seat] = sorted([*state.hands[seat], card], key=IN_ORDER.__getitem__)
    state.drawn[seat] = card
    state.last = Last(seat)
    step.log(Msg("{seat} draws a card.", you="You draw a card.", seat=seat))
    step.log(Msg("It is the {card}.", card=card), to=[seat])
    step.barrier()  # the stock was shuffled in the set-up: nothing is drawn from the stream now
    if not state.stock:
        state.over = True
        step.log(Msg("That was the last card of the stock."))


def commit(state: MachiavelliState, seat: int, groups: list[list[Card]], step: Step) -> None:
    """Lay the new table; with an empty hand the game is over."""
    hand = set(state.hands[seat])
    played = [card for group in groups for card in group if card in hand]
    moved = moved_cards(state.table, groups, hand)
    state.hands[seat] = [card for card in state.hands[seat] if card not in played]
    state.drawn[seat] = None
    state.table = [arranged(group) for group in groups]
    state.last = Last(seat, played, moved)
    played.sort(key=IN_ORDER.__getitem__)
    if moved:
        what = "a card" if len(moved) == 1 else "{moved} cards"
        step.log(
            Msg(
                f"{{seat}} plays {{cards}} and moves {what} of the table.",
                you=f"You play {{cards}} and move {what} of the table.",
                seat=seat,
                cards=played,
                moved=len(moved),
            )
        )
    else:
        step.log(Msg("{seat} plays {cards}.", you="You play {cards}.", seat=seat, cards=played))
    if not state.hands[seat]:
        state.over = True
        step.log(Msg("{seat} has no cards left.", you="You have no cards left.", seat=seat))


def moved_cards(before: list[list[Card]], after: list[list[Card]], hand: set[Card]) -> list[Card]:
    """Cards of the table that lie in another group now. Of the groups into which one was parted, that
    with most of its cards is the one that stayed.
    """
    place_of = {card: place for place, group in enumerate(before) for card in group}
    shares = Counter(
        (number, place_of[card])
        for number, group in enumerate(after)
        for card in group
        if card not in hand
    )
    stayed: dict[int, int] = {}  # by number of the new group, the place of the one that it was
    for (number, place), _ in shares.most_common():
        if number not in stayed and place not in stayed.values():
            stayed[number] = place
    return [
        card
        for number, group in enumerate(after)
        for card in group
        if card not in hand and place_of[card] != stayed.get(number)
    ]


def next_turn(state: MachiavelliState, step: Step) -> None:
    state.turn = (state.turn + 1) % len(state.hands)
    state.turn_number += 1
    if (state.turn_number - 1) % len(state.hands) == 0:
        step.heading(round_heading(round_number(state)))
