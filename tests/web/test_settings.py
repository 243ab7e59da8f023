"""Every flag of `rookery serve` can be given by the environment; one table makes both."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

import pytest

from rookery.web.settings import SETTINGS, Settings, add_flags, settings_of

GIVEN: dict[str, tuple[str, Any]] = {
    "ROOKERY_HOST": ("10.1.2.3", "10.1.2.3"),
    "ROOKERY_PORT": ("99", 99),
    "ROOKERY_DB": ("arcade.db", "arcade.db"),
    "ROOKERY_GAMES": ("ice.py,snow.py", ("ice.py", "snow.py")),
    "ROOKERY_ALLOWED_HOSTS": ("a.example b.example", ("a.example", "b.example")),
    "ROOKERY_TRUSTED_PROXIES": ("10.0.0.0/8, 127.0.0.1", ("10.0.0.0/8", "127.0.0.1")),
    "ROOKERY_PEOPLE_PER_ADDRESS": ("200", 200),
    "ROOKERY_KEEP_DAYS": ("30", 30),
    "ROOKERY_WORKERS": ("3", 3),
    "ROOKERY_DRAIN": ("5", 5),
    "ROOKERY_LOG": ("json", "json"),
    "ROOKERY_ACCESS_LOG": ("yes", True),
    "ROOKERY_METRICS": ("1", True),
    "ROOKERY_BROWSER": ("no", False),
}


def settings(*words: str, **environment: str) -> Settings:
    parser = ArgumentParser()
    add_flags(parser)
    return settings_of(vars(parser.parse_args(words)), environment)


def test_without_flags_and_variables_the_defaults_hold() -> None:
    assert settings() == Settings()
    assert settings(ROOKERY_PORT="", ROOKERY_TRUSTED_PROXIES=" ") == Settings()


def test_every_setting_has_a_variable() -> None:
    assert {each.variable for each in SETTINGS} == set(GIVEN)
    found = settings(**{name: text for name, (text, _) in GIVEN.items()})
    assert found == Settings(**{each.field: GIVEN[each.variable][1] for each in SETTINGS})
    assert all(getattr(found, each.name) != each.default for each in fields(Settings))


def test_flags_win() -> None:
    found = settings(
        "--port", "7", "--no-metrics", "--allowed-host", "c.example", **{k: v for k, (v, _) in GIVEN.items()}
    )
    assert (found.port, found.metrics, found.allowed_hosts, found.workers) == (7, False, ("c.example",), 3)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("ROOKERY_PORT", "http", "ROOKERY_PORT takes a whole number from 0 to 65535, not 'http'."),
        ("ROOKERY_WORKERS", "0", "ROOKERY_WORKERS takes a whole number from 1 to 64, not '0'."),
        ("ROOKERY_LOG", "xml", "ROOKERY_LOG takes one of text, json, not 'xml'."),
        ("ROOKERY_METRICS", "maybe", "ROOKERY_METRICS takes yes or no, not 'maybe'."),
        ("ROOKERY_TRUSTED_PROXIES", "nginx", "ROOKERY_TRUSTED_PROXIES takes an IP address or a network"),
    ],
)
def test_a_bad_variable_gets_a_sentence_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    monkeypatch.setenv(name, text)
    done = subprocess.run([sys.executable, "-m", "rookery", "serve"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith(f"rookery: {said}") and done.stderr.count("\n") == 1


def test_the_help_names_every_variable() -> None:
    page = subprocess.run([sys.executable, "-m", "rookery", "serve", "--help"], capture_output=True, text=True).stdout
    assert all(f"[{each.variable}]" in page and each.flag in page for each in SETTINGS)
    assert "flags win" in " ".join(page.split())
