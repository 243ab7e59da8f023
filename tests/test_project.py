"""The files around the code: the Makefile's help, the container, the workflows, the citation."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import rookery

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def content(name: str | Path) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def linter(name: str) -> str:
    """A linter beside Python or on the path; a workflow installs those that not everybody has."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


# ── Makefile ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_make_alone_lists_every_target_with_its_comment() -> None:
    listed = subprocess.run([linter("make"), "-C", str(ROOT), "--no-print-directory"], capture_output=True, text=True)
    assert listed.returncode == 0 and listed.stderr == ""
    names = re.findall(r"^make ([a-z-]+) +\S", listed.stdout, re.M)
    phony = re.search(r"^\.PHONY: (.+)$", text("Makefile"), re.M)
    assert phony is not None
    assert sorted(names) == sorted(phony[1].split())
    assert names[:2] == ["help", "play"]


def test_every_command_is_tried_on_the_built_package() -> None:
    from tools import wheel

    from rookery.cli import commands

    tried = "\n".join(wheel.tried_commands(text("README.md")))
    assert set(re.findall(r"\brookery ([a-z]+)", tried)) == set(commands())


# ── container ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of the Dockerfile, stage by stage."""
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text("Dockerfile"), flags=re.M)).splitlines()
    found: list[list[tuple[str, str]]] = []
    for line in filter(None, map(str.strip, lines)):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, " ".join(rest.split())))
    return found


def test_the_image_runs_as_a_user_without_rights_and_can_be_asked_for_its_health() -> None:
    build, final = stages()
    assert all(image.split()[0] == "python:3.12-slim" for word, image in build[:1] + final[:1] if word == "FROM")
    words = [word for word, _ in final]
    last = dict(final)
    assert last["USER"] == "10001:10001"
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "http://127.0.0.1:8067/healthz" in last["HEALTHCHECK"]
    assert last["EXPOSE"] == "8067"
    assert last["VOLUME"] == "/data" and "ROOKERY_DATA=/data" in last["ENV"]
    assert "COPY" not in words and "ADD" not in words, "sources stay in the first stage"


def test_machine_code_is_compiled_into_the_image_by_the_user_who_runs_it() -> None:
    final = stages()[-1]
    compiling = next(at for at, (word, rest) in enumerate(final) if word == "RUN" and "rookery warm" in rest)
    assert ("USER", "10001:10001") in final[:compiling]
    environment = next(rest for word, rest in final if word == "ENV")
    assert "NUMBA_CPU_NAME=generic" in environment
    (cache,) = re.findall(r"ROOKERY_CACHE=(\S+)", environment)
    assert any(word == "RUN" and f"chown rookery:rookery /data {cache}" in rest for word, rest in final[:compiling])


def test_what_the_image_runs_is_a_command_that_exists() -> None:
    from rookery.cli import commands, flags

    last = dict(stages()[-1])
    words = [*yaml.safe_load(last["ENTRYPOINT"]), *yaml.safe_load(last["CMD"])]
    assert words[0] == "rookery"
    chosen = flags.parser_of(commands()[words[1]], []).parse_args(words[2:])
    assert (chosen.host, chosen.port, chosen.browser) == ("0.0.0.0", "8067", False)  # noqa: S104 - in a container


def test_only_what_the_wheel_needs_goes_to_the_builder() -> None:
    lines = [line for line in text(".dockerignore").splitlines() if not line.startswith("#")]
    assert lines[0] == "*"
    for name in (line[1:] for line in lines if line.startswith("!")):
        assert (ROOT / name).exists(), name


def test_the_compose_file_waits_for_a_healthy_database_and_holds_no_password() -> None:
    compose = content("compose.yaml")
    arcade, database = compose["services"]["arcade"], compose["services"]["database"]
    assert arcade["depends_on"]["database"]["condition"] == "service_healthy"
    assert database["healthcheck"]["test"]
    name, _, tag = database["image"].partition(":")
    assert name == "postgres" and re.match(r"\d", tag)
    assert database["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert "${POSTGRES_PASSWORD:?}@database:5432" in arcade["environment"]["ROOKERY_DB"]
    assert "/readyz" in arcade["healthcheck"]["test"][-1]
    proxy = compose["services"]["proxy"]
    assert proxy["profiles"] == ["tls"] and proxy["depends_on"]["arcade"]["condition"] == "service_healthy"
    assert arcade["ports"] == ["127.0.0.1:8067:8067"]
    used = {volume.partition(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert {each for each in used if not each.startswith(".")} == set(compose["volumes"])


def test_systemd_takes_the_unit_of_the_tutorial(tmp_path: Path) -> None:
    from rookery.web.settings import SETTINGS
    from tests.page import fenced

    (unit,) = (each.text for each in fenced(text("docs/start/operator.md"), "ini"))
    sections = configparser.ConfigParser(strict=False, interpolation=None)
    sections.optionxform = str  # type: ignore[assignment, method-assign]
    sections.read_string(unit)
    assert sections["Service"]["ExecStart"] == "/usr/local/bin/rookery serve --no-browser"
    assert "HUP" in sections["Service"]["ExecReload"] and sections["Service"]["KillMode"] == "mixed"
    known = {each.variable for each in SETTINGS} | {"ROOKERY_DATA", "ROOKERY_CACHE"}
    assert set(re.findall(r"ROOKERY_[A-Z_]+(?==)", unit)) <= known
    if shutil.which("systemd-analyze") is None:
        return
    file = tmp_path / "rookery.service"
    file.write_text(unit.replace("/usr/local/bin/rookery", sys.executable).replace("postgresql.service", ""))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True)
    told = [line for line in done.stderr.splitlines() if "rookery" in line]
    assert (done.returncode, told) == (0, [])


def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run([linter("hadolint"), str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.compose-spec", ["compose.yaml"]),
        ("vendor.dependabot", [".github/dependabot.yml"]),
        ("vendor.github-workflows", [f".github/workflows/{file.name}" for file in WORKFLOWS]),
    ],
)
def test_files_keep_to_their_schema(schema: str, files: list[str]) -> None:
    command = [linter("check-jsonschema"), "--builtin-schema", schema, *(str(ROOT / file) for file in files)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# ── workflows ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_have_no_rights_they_do_not_ask_for(file: Path) -> None:
    workflow = content(file)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 60, name
        assert "permissions" in job, name
        for step in job["steps"]:
            assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+|.+@[0-9a-f]{40}", step["uses"]), (
                step
            )
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_make_only_what_the_makefile_has(file: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.M))
    steps = [step for job in content(file)["jobs"].values() for step in job["steps"]]
    wanted = {target for step in steps for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))}
    assert wanted
    assert wanted <= targets


def test_every_supported_python_is_tested() -> None:
    (ci,) = (content(file) for file in WORKFLOWS if file.name == "ci.yml")
    assert ci["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_zizmor_has_nothing_to_say() -> None:
    done = subprocess.run([linter("zizmor"), "--offline", str(ROOT / ".github")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# ── the rest ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_citation_is_of_this_version() -> None:
    citation = content("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == rookery.__version__
    assert citation["license"] == "MIT"


def test_hooks_use_what_the_project_has() -> None:
    for repo in content(".pre-commit-config.yaml")["repos"]:
        assert repo["repo"] == "local"
        for hook in repo["hooks"]:
            assert hook["language"] == "system" and hook["entry"].startswith(".venv/bin/")


def test_the_end_of_a_file_is_mended(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    command = [sys.executable, str(ROOT / "tools" / "fix_whitespace.py"), str(file)]
    for before, after in ((b"a \nb", b"a\nb\n"), (b"a\r\n\n\n", b"a\n"), (b"a\n", b"a\n"), (b"", b"")):
        file.write_bytes(before)
        done = subprocess.run(command, capture_output=True, text=True)
        assert file.read_bytes() == after
        assert done.returncode == (before != after)
