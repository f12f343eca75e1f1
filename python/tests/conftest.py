"""Runs scripts as the ranks of a group. TANDEM_PROGRAM names the program, TANDEM_SMOLLM2 a model file."""

import os
import subprocess
import sys
import textwrap

import pytest

PROGRAM = os.environ.get("TANDEM_PROGRAM", "tandem")


@pytest.fixture
def launch(tmp_path):
    def run(ranks, script, *options, check=True):
        path = tmp_path / "script.py"
        path.write_text("import numpy as np, os, sys, tandem\n" + textwrap.dedent(script))
        command = [PROGRAM, "launch", "-n", str(ranks), *options, sys.executable, str(path)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if check:
            assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended

    return run
