"""Serves a host on this machine, with settings and a fresh database, as tests in Python need it."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

PROJECT = pathlib.Path(__file__).resolve().parents[1]


def clean_environment() -> dict[str, str]:
    """The environment without settings of the service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MATTERBOOK_")}


@contextlib.contextmanager
def served(host: str, settings: dict[str, str]) -> Iterator[str]:
    """Where the host, `native` or `worker`, serves for as long as the block runs."""
    state = tempfile.mkdtemp()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with open(f"{state}/host.log", "wb") as log:
        process = subprocess.Popen(
            command(host, state, port),
            env=clean_environment() | settings,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for(url, process)
            yield url
        finally:
            # A host that did not come to serve has ended already.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            shutil.rmtree(state, ignore_errors=True)


def call(url: str, method: str, path: str, token: str, body: object = None) -> dict:
    """The JSON that a request is answered with; an error raises."""
    request = urllib.request.Request(
        url + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(host: str, state: str, port: int) -> list[str]:
    if host == "native":
        binary = str(PROJECT / "target/debug/matterbook")
        return [binary, "serve", "--db", f"{state}/matterbook.db", "--listen", f"127.0.0.1:{port}"]
    return [str(PROJECT / "host-worker/dev"), "--port", str(port), "--state", state]


def wait_for(url: str, process: subprocess.Popen) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    sys.exit("the host did not come to serve")
