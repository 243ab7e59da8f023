"""The games in a terminal."""

import os

os.environ.setdefault(
    "TEXTUAL_FPS", "240"
)  # a key is answered at once; Textual would wait for its sixtieth of a second
