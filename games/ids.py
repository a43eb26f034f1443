"""Public ids of tables: 8 characters that nobody confuses, read as ``K7QM-2WXP``."""

import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0/O, 1/I/L, U
LENGTH = 8


def new_public_id() -> str:
    """A new id; 30**8 of them, drawn by the operating system, so none can be guessed."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def dashed(public_id: str) -> str:
    """``K7QM2WXP`` as ``K7QM-2WXP``."""
    return f"{public_id[:4]}-{public_id[4:]}"


def plain_id(text: str) -> str:
    """What somebody typed or followed, as an id is kept: upper case, without the dash."""
    return text.replace("-", "").strip().upper()
