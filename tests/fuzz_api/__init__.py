"""A fuzz of the public API: bots × states × arguments over all games, right ones and wrong ones, from a seed.

    python -m tests.fuzz_api --calls 100000 --seed 1

Every call must end in an answer or in a `RookeryError` of one line. (Environments may also raise Gymnasium's own
errors; only a wrong number of arguments is left to Python's `TypeError`, and is not tried here.) Anything else is a
failure and is printed with what was called. The calls are made in a process of their own, which notes each of them
before it is made: if compiled code kills or stops it, the last call is known.

`values` draws what calls are made of. Each of `games`, `bots`, `words`, `reviews`, `engines` and `surfaces` makes calls
of one part of the API, and `running` makes them and counts their outcomes.
"""
