"""Opens a page in the user's browser, if there is a screen."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread


def open_page(address: str) -> None:
    """Open a page without waiting for the browser; do nothing if there is none."""
    browser = graphical_browser()
    if browser is not None:
        Thread(target=browser.open, args=(address,), daemon=True).start()


def graphical_browser() -> webbrowser.BaseBrowser | None:
    """The browser to open: not one that runs in the terminal, nor one on another machine's screen."""
    if not has_screen():
        return None
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    # www-browser, lynx and w3m are of this very class; graphical browsers are of subclasses.
    in_terminal = type(found) is webbrowser.GenericBrowser
    return None if in_terminal else found


def has_screen() -> bool:
    """Whether this program can open windows that the user sees."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
