"""Opening a page in the person's browser, if there is a screen to show it on."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread


def open_page(address: str) -> None:
    """Open a page without waiting for the browser; nothing happens where there is none."""
    browser = graphical_browser()
    if browser is not None:
        Thread(target=browser.open, args=(address,), daemon=True).start()


def graphical_browser() -> webbrowser.BaseBrowser | None:
    """The browser that would be opened: not one that runs in the terminal, and not one on another machine's screen."""
    if not has_screen():
        return None
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    in_terminal = type(found) is webbrowser.GenericBrowser  # as www-browser, lynx or w3m; others are its subclasses
    return None if in_terminal else found


def has_screen() -> bool:
    """Whether this program can open windows in front of the person who started it."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
