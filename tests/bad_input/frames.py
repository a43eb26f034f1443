"""What is no frame, and what is no action, by name: the same for the socket and for HTTP."""

DEEP = 10_000

FRAMES = {
    "nothing": "",
    "a brace": "{",
    "null": "null",
    "a list": "[]",
    "a number": "7",
    "a text": '"act"',
    "two frames": '{"do": "sync"}{"do": "sync"}',
    "an unknown kind": '{"do": "fly"}',
    "no kind": '{"ply": 0}',
    "a list as kind": '{"do": ["act"]}',
    "a kind in capitals": '{"do": "ACT", "key": "k", "ply": 0, "action": {}}',
    "no key": '{"do": "act", "ply": 0, "action": {}}',
    "a number as key": '{"do": "act", "key": 5, "ply": 0, "action": {}}',
    "null as key": '{"do": "act", "key": null, "ply": 0, "action": {}}',
    "an empty key": '{"do": "act", "key": "", "ply": 0, "action": {}}',
    "a key of 65": f'{{"do": "undo", "key": "{"k" * 65}"}}',
    "a key of 10,000": f'{{"do": "undo", "key": "{"k" * 10_000}"}}',
    "a NUL in the key": '{"do": "undo", "key": "a\\u0000b"}',
    "half a surrogate in the key": '{"do": "undo", "key": "\\ud800"}',
    "no ply": '{"do": "act", "key": "k", "action": {}}',
    "a ply below 0": '{"do": "act", "key": "k", "ply": -1, "action": {}}',
    "a huge ply": '{"do": "act", "key": "k", "ply": 99999999999, "action": {}}',
    "a ply of 5,000 digits": f'{{"do": "act", "key": "k", "ply": {"9" * 5000}, "action": {{}}}}',
    "a fraction as ply": '{"do": "sync", "ply": 1.5}',
    "true as ply": '{"do": "sync", "ply": true}',
    "a text as ply": '{"do": "act", "key": "k", "ply": "0", "action": {}}',
    "no action": '{"do": "act", "key": "k", "ply": 0}',
    "a text as action": '{"do": "act", "key": "k", "ply": 0, "action": "done"}',
    "a list as action": '{"do": "check", "key": "k", "ply": 0, "action": []}',
    "NaN": '{"do": "check", "key": "k", "ply": 0, "action": {"type": NaN}}',
    "infinity": '{"do": "check", "key": "k", "ply": 0, "action": {"type": 1e999}}',
    "a number as text": '{"do": "say", "key": "k", "text": 5}',
    "half a surrogate": '{"do": "say", "key": "k", "text": "\\udc00 and so on"}',
    "deep brackets": "[" * DEEP,
    "deep notes": '{"do": "note", "data": ' + "[" * 8000 + "]" * 8000 + "}",
    "deep action": '{"do": "act", "key": "k", "ply": 0, "action": '
    + '{"a":' * 3000
    + "1"
    + "}" * 3000
    + "}",
    "20 KiB": '{"do": "say", "key": "k", "text": "' + "x" * (20 * 1024) + '"}',
    "20 KiB in three bytes each": '{"do": "say", "key": "k", "text": "' + "€" * 7000 + '"}',
}

ACTIONS = {
    "empty": {},
    "no tag": {"card": 1},
    "a wrong tag": {"type": "steal", "card": 1},
    "a number as tag": {"type": 5},
    "null as tag": {"type": None},
    "a list as tag": {"type": ["choose"]},
    "no card": {"type": "choose"},
    "a text as card": {"type": "choose", "card": "1"},
    "a fraction as card": {"type": "choose", "card": 1.5},
    "true as card": {"type": "choose", "card": True},
    "null as card": {"type": "choose", "card": None},
    "a list as card": {"type": "choose", "card": [1]},
}
