"""The terminal interface: line by line, and a full-screen app built on Textual."""

import os

os.environ.setdefault(
    "TEXTUAL_FPS", "240"
)  # draw a key's effect at once; the default of 60 frames a second adds up to 16 ms
