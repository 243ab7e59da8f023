"""Settings for all tests."""

import os
import signal
import threading

from hypothesis import settings

settings.register_profile("rookery", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("rookery")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    # Started by `nohup … &` or in the background of a script, this process ignores Ctrl-C. Its children would inherit
    # that, and many tests press Ctrl-C; a signal that is caught here is not ignored there.
    signal.signal(signal.SIGINT, signal.default_int_handler)
