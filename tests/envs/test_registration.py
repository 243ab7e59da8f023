"""When the environments are registered, and what is imported for it: every test here runs an interpreter of its own."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import distribution, entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = ("gymnasium", "pettingzoo", "pyspiel", "numba", "pygame")
"""What `import rookery.envs` may not import for those who did not ask for it; Gymnasium apart."""


def run(program: str, *flags: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *flags, "-c", program]
    return subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def printed(program: str) -> str:
    """What a program prints that ends well."""
    done = run(program)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded(program: str, *names: str) -> list[str]:
    """Which of these modules are loaded after a program, packages with all that is in them."""
    listing = f"""
import sys
names = {names!r}
print(*sorted({{name for name in sys.modules if name.partition(".")[0] in names}}))
"""
    return printed(program + listing).split()


def test_nothing_of_ours_runs_when_python_starts() -> None:
    done = run("pass", "-X", "importtime")
    assert done.returncode == 0 and "site" in done.stderr
    assert "rookery" not in done.stderr


def test_nothing_that_runs_by_itself_is_shipped() -> None:
    """A .pth file runs at every start of Python, and an entry point of Gymnasium's at its import in old versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/rookery"]
    assert "force-include" not in wheel and "shared-data" not in wheel
    assert list((ROOT / "src").rglob("*.pth")) == []
    assert "gymnasium.envs" not in project["project"].get("entry-points", {})


def test_nothing_that_runs_by_itself_is_installed() -> None:
    """An editable install has a .pth file of the build tool's, which holds a path and no code."""
    lines = [
        line
        for file in distribution("rookery").files or ()
        if file.suffix == ".pth"
        for line in Path(str(file.locate())).read_text(encoding="utf-8").splitlines()
    ]
    assert [line for line in lines if line.startswith(("import ", "import\t"))] == []
    assert list(entry_points(group="gymnasium.envs", name="rookery")) == []


@pytest.mark.parametrize("library", ["gymnasium", "pettingzoo", "pyspiel"])
def test_importing_a_library_imports_nothing_of_ours(library: str) -> None:
    pytest.importorskip(library)
    assert loaded(f"import {library}", "rookery") == []


def test_importing_openspiel_imports_no_gymnasium() -> None:
    pytest.importorskip("pyspiel")
    assert loaded("import pyspiel", *(set(HEAVY) - {"pyspiel"}), "numpy") == []


def test_importing_ours_imports_gymnasium_and_no_more() -> None:
    """PettingZoo sets the audio driver of the process and Numba takes most of a second: neither without need."""
    assert {name.partition(".")[0] for name in loaded("import rookery.envs", *HEAVY)} == {"gymnasium"}


def test_importing_ours_twice_complains_of_nothing() -> None:
    program = "import warnings; warnings.simplefilter('error'); import gymnasium, pettingzoo, rookery.envs"
    assert printed(f"{program}; rookery.envs.register(); import rookery.envs.gaterun_v0; rookery.envs.register()") == ""


def test_gymnasium_finds_them_by_the_module_in_the_name() -> None:
    program = """if True:
        import gymnasium
        env = gymnasium.make("rookery.envs:rookery/SixSeven-v0", rows=4, cols=4)
        print(env.reset(seed=1)[0].shape, env.spec.id)
    """
    assert printed(program) == "(4, 4, 2) rookery/SixSeven-v0\n"


def test_gymnasium_finds_the_vector_ones_too() -> None:
    program = """if True:
        import gymnasium
        envs = gymnasium.make_vec("rookery.envs:rookery/Gamma-v0", num_envs=3)
        print(type(envs).__name__, envs.reset(seed=1)[0].shape)
    """
    assert printed(program) == "GammaVectorEnv (3, 10, 10, 5)\n"


def test_processes_of_gymnasiums_own_vector_environment_find_them() -> None:
    """Such a process starts anew and has imported nothing of ours."""
    program = """if True:
        import gymnasium
        import rookery.envs
        if __name__ == "__main__":
            envs = gymnasium.make_vec("rookery/SixSeven-v0", 1, "async", vector_kwargs={"context": "spawn"})
            print(envs.reset(seed=1)[0].shape)
            envs.close()
    """
    assert printed(program) == "(1, 6, 7, 2)\n"


@pytest.mark.parametrize("order", ["import gymnasium, rookery.envs", "import rookery.envs, gymnasium"])
def test_gymnasium_knows_them_whichever_is_imported_first(order: str) -> None:
    program = f"{order}; print(len(rookery.envs.IDS.keys() & gymnasium.registry.keys()))"
    assert printed(program) == "4\n"


@pytest.mark.parametrize(
    "imports",
    [
        "import pettingzoo, rookery.envs",
        "import pettingzoo, rookery.envs.gaterun_v0",
        "import rookery.envs.gaterun_v0, pettingzoo",
        "import rookery.envs, pettingzoo; rookery.envs.register()",
    ],
)
def test_pettingzoo_knows_them_after(imports: str) -> None:
    program = (
        f"""{imports}; print(*(pettingzoo.spec("aec", f"rookery/{{name}}_v0").id for name in ("gaterun", "gamma")))"""
    )
    assert printed(program) == "rookery/gaterun-v0 rookery/gamma-v0\n"


def test_pettingzoo_makes_them() -> None:
    program = """if True:
        import pettingzoo
        import rookery.envs
        env = pettingzoo.make("aec", "rookery/gaterun_v0", size=5)
        env.reset()
        print(env.last()[0]["observation"].shape, env)
    """
    assert printed(program) == "(5, 5, 13) gaterun_v0\n"


@pytest.mark.parametrize(
    "imports",
    [
        "import pyspiel, rookery.envs",
        "import pyspiel, rookery.envs.openspiel",
        "import rookery.envs.openspiel, pyspiel",
        "import rookery.envs, pyspiel; rookery.envs.register()",
    ],
)
def test_openspiel_knows_them_after(imports: str) -> None:
    pytest.importorskip("pyspiel")
    program = f"{imports}; print(pyspiel.load_game('rookery_gaterun(size=5)'))"
    assert printed(program) == "rookery_gaterun(jump=False,rotate=False,size=5,walls=8,walls2=-1)\n"


@pytest.mark.parametrize("missing", [("gymnasium",), ("gymnasium", "pettingzoo", "numba", "PIL", "pygame")])
def test_openspiel_needs_none_of_the_others(missing: tuple[str, ...]) -> None:
    pytest.importorskip("pyspiel")
    program = f"""if True:
        import sys
        sys.modules.update(dict.fromkeys({missing!r}))  # importing one of them fails
        import rookery.envs.openspiel
        import pyspiel
        state = pyspiel.load_game("rookery_gotham").new_initial_state()
        print(len(state.legal_actions()), len(state.observation_tensor()))
    """
    assert printed(program) == "4 1183\n"


def test_a_broken_library_does_not_keep_ours_from_being_imported(tmp_path: Path) -> None:
    """Whoever imports the broken one sees why."""
    for name in ("gymnasium", "pyspiel"):
        (tmp_path / f"{name}.py").write_text("raise AttributeError('made for another NumPy')\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rookery.envs; print('fine'); import gymnasium"
    done = run(program)
    assert done.stdout == "fine\n"
    assert "made for another NumPy" in done.stderr


def test_a_gymnasium_that_is_too_old_gets_a_sentence() -> None:
    """Versions before 1.1 have no such mode, and 0.26 no such name for the registry."""
    program = """if True:
        import gymnasium, gymnasium.vector
        del gymnasium.vector.AutoresetMode, gymnasium.registry
        gymnasium.__version__ = "0.27.1"
        import rookery.envs
        print("fine")
        for make in (gymnasium.make, gymnasium.make_vec):
            try:
                make("rookery/SixSeven-v0", rows=4)
            except ValueError as error:
                print(type(error).__name__, error)
    """
    sentence = "Rookery needs gymnasium ≥ 1.1 and found 0.27.1: run pip install --upgrade 'rookery[envs]'."
    assert printed(program) == f"fine\nMissingRequirement {sentence}\nMissingRequirement {sentence}\n"
