"""Gamma's line protocol, from bytes to bytes: kernels that run interpreted and compiled, like the rules.

`consume` carries out the lines of a block of input and writes answers and errors into two buffers. It stops when the
block is done, when a buffer might overflow, or at a command that needs a new board (`B` and `I`), which its caller
carries out. `session` holds what lasts from one call to the next.
"""

from __future__ import annotations

from rookery.games.gamma.board import HEIGHT, OWNER, PLAYERS, WIDTH, place_of
from rookery.games.gamma.rules import busy, free, golden, may_move, may_take, move, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

LINE_NUMBER, STARTED, NEXT_LINE, END, MAX_LINES, WHY, ANSWERED, REFUSED, ARGUMENTS = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""The words of `session`: the number of the line last read; whether there is a board; where in the block the next line
begins, where the block ends, and how many lines to carry out at most; why `consume` stopped; how many bytes of answers
and of errors it has written; and, to the end, the four numbers of a command."""
SESSION = 12

DONE, ROOM, BATCH, INTERACTIVE = 0, 1, 2, 3
"""Reasons to stop: the block is done; a buffer is too small; `B`; `I`."""

LARGEST = 4294967295
LINE_FEED, HASH, SPACE, ZERO, POINT = 10, 35, 32, 48, 46
LONGEST_ANSWER = 24
"""Bytes that any answer but a board, and any error, fits in."""

ERROR_WORD = b"ERROR "
NO_COMMAND = -1


def consume(block: bytes | bytearray, s: Words, session: Words, answers: Words, errors: Words) -> None:
    """Carry out the complete lines of `block` between `NEXT_LINE` and `END`, at most `MAX_LINES`, and move `NEXT_LINE`
    past them.
    """
    session[WHY] = DONE
    session[ANSWERED] = 0
    session[REFUSED] = 0
    end = session[END]
    for _ in range(session[MAX_LINES]):
        at = session[NEXT_LINE]
        stop = at
        while stop < end and block[stop] != LINE_FEED:
            stop += 1
        if stop == end:
            return
        if len(answers) - session[ANSWERED] < LONGEST_ANSWER or len(errors) - session[REFUSED] < LONGEST_ANSWER:
            session[WHY] = ROOM
            return
        session[LINE_NUMBER] += 1
        session[NEXT_LINE] = stop + 1
        if stop > at and block[at] != HASH:
            command = parse(block, at, stop, session)
            if command == 66 or command == 73:  # B, I
                if not session[STARTED]:
                    session[WHY] = BATCH if command == 66 else INTERACTIVE
                    return
                refuse(session, errors)
            elif command == NO_COMMAND or not session[STARTED]:
                refuse(session, errors)
            elif command == 112:  # p
                if len(answers) - session[ANSWERED] < board_size(s):
                    session[LINE_NUMBER] -= 1
                    session[NEXT_LINE] = at
                    session[WHY] = ROOM
                    return
                write_board(s, session, answers)
            else:
                write_number(answer(s, command, session), session, answers)
                write_byte(LINE_FEED, session, answers)


def parse(block: bytes | bytearray, at: int, end: int, session: Words) -> int:
    """The letter of the command in a line, its numbers in `session`; `NO_COMMAND` if the line is malformed."""
    letter = block[at]
    wanted = arity(letter)
    if wanted < 0:
        return NO_COMMAND
    at += 1
    count = 0
    while at < end:
        if not is_blank(block[at]):
            return NO_COMMAND
        while at < end and is_blank(block[at]):
            at += 1
        if at == end:
            break
        if count == wanted:
            return NO_COMMAND
        value = 0
        while at < end and ZERO <= block[at] < ZERO + 10:
            # Held just above the largest number, a value stays too large however many digits follow.
            value = min(value * 10 + (block[at] - ZERO), LARGEST + 1)
            at += 1
        if (at < end and not is_blank(block[at])) or value > LARGEST:
            return NO_COMMAND
        session[ARGUMENTS + count] = value
        count += 1
    return letter if count == wanted else NO_COMMAND


def is_blank(byte: int) -> bool:
    """A space, or one of tab, vertical tab, form feed and carriage return."""
    return byte == SPACE or byte == 9 or (11 <= byte <= 13)


def arity(letter: int) -> int:
    """How many numbers a command takes; −1 if there is no such command."""
    if letter == 66 or letter == 73:  # B, I
        return 4
    if letter == 109 or letter == 103:  # m, g
        return 3
    if letter == 98 or letter == 102 or letter == 113:  # b, f, q
        return 1
    if letter == 112:  # p
        return 0
    return -1


def answer(s: Words, command: int, session: Words) -> int:
    """Carry out a command of the game; values out of its range answer 0."""
    player = session[ARGUMENTS]
    if player < 1 or player > s[PLAYERS]:
        return 0
    if command == 98:  # b
        return busy(s, player)
    if command == 102:  # f
        return free(s, player)
    if command == 113:  # q
        return 1 if golden(s, player) else 0
    x, y = session[ARGUMENTS + 1], session[ARGUMENTS + 2]
    if x >= s[WIDTH] or y >= s[HEIGHT]:
        return 0
    place = place_of(s, y * s[WIDTH] + x)
    if command == 109:  # m
        if not may_move(s, player, place):
            return 0
        move(s, player, place)
    else:
        if not may_take(s, player, place):
            return 0
        take(s, player, place)
    return 1


def write_byte(byte: int, session: Words, answers: Words) -> None:
    answers[session[ANSWERED]] = byte
    session[ANSWERED] += 1


def write_number(value: int, session: Words, answers: Words) -> None:
    session[ANSWERED] = put_number(value, answers, session[ANSWERED])


def put_number(value: int, buffer: Words, at: int) -> int:
    """Write a number from 0 in digits; return where it ends."""
    end = at + digits(value)
    for k in range(end - 1, at - 1, -1):
        buffer[k] = ZERO + value % 10
        value //= 10
    return end


def digits(value: int) -> int:
    count = 1
    while value >= 10:
        value //= 10
        count += 1
    return count


def refuse(session: Words, errors: Words) -> None:
    """Write `ERROR <line>`."""
    at = session[REFUSED]
    for k in range(6):
        errors[at + k] = ERROR_WORD[k]
    at = put_number(session[LINE_NUMBER], errors, at + 6)
    errors[at] = LINE_FEED
    session[REFUSED] = at + 1


def board_size(s: Words) -> int:
    """Bytes of the printed board."""
    return s[HEIGHT] * (s[WIDTH] * (digits(s[PLAYERS]) + 1) + 1)


def write_board(s: Words, session: Words, answers: Words) -> None:
    """Write the board, top row first; with ten or more players in columns, a space between."""
    wide = digits(s[PLAYERS])
    for row in range(s[HEIGHT]):
        first = s[OWNER] + place_of(s, (s[HEIGHT] - 1 - row) * s[WIDTH])
        for x in range(s[WIDTH]):
            owner = s[first + x]
            if x > 0 and wide > 1:
                write_byte(SPACE, session, answers)
            for _ in range(wide - (digits(owner) if owner else 1)):
                write_byte(SPACE, session, answers)
            if owner:
                write_number(owner, session, answers)
            else:
                write_byte(POINT, session, answers)
        write_byte(LINE_FEED, session, answers)
