"""Settings all tests share."""

import os
import signal
import threading

from hypothesis import settings

settings.register_profile("rookery", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("rookery")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    # Started by `nohup … &` or from a script's background, this process ignores Ctrl-C. The programs under test must not:
    # they would inherit that, and many a test presses it. What is caught here is not ignored by whom we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
