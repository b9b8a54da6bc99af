"""Serves the hosts and lets schemathesis try out what the documents promise."""

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

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SCHEMATHESIS = pathlib.Path(sys.executable).with_name("schemathesis")
DOCUMENTS = ["core/openapi.json", "docs/operator-openapi.json"]
OPERATOR_TOKEN = "operator-token-of-the-contract"
SETTINGS = {
    "MATTERBOOK_OPERATOR_TOKEN": OPERATOR_TOKEN,
    # The largest there is: every answer says what is left, and nobody has to wait.
    "MATTERBOOK_RATE_LIMIT_PER_MINUTE": "10000",
    # What is written shows at once, so that pages have something on them.
    "MATTERBOOK_CLIENT_DELAY_SECONDS": "0",
    "MATTERBOOK_PROSPECT_DELAY_SECONDS": "0",
}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(host: str, state: str, port: int) -> list[str]:
    if host == "native":
        binary = str(PROJECT / "target/debug/matterbook")
        return [binary, "serve", "--db", f"{state}/matterbook.db", "--listen", f"127.0.0.1:{port}"]
    return [str(PROJECT / "host-worker/dev"), "--port", str(port), "--state", state]


def call(url: str, method: str, path: str, token: str, body: object = None) -> dict:
    request = urllib.request.Request(
        url + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def wait_for(url: str, process: subprocess.Popen) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    sys.exit("the host did not come to serve")


def furnish(url: str) -> str:
    """An account with clients, settlements, counties and prospects; its key."""

    def operate(method: str, path: str, body: object = None) -> dict:
        return call(url, method, f"/operator/v1/{path}", OPERATOR_TOKEN, body)

    flags = {"api_enabled": True, "digital_bundle": True, "contact_enrichment": True}
    account = operate("POST", "accounts", {"email": "owner@firm.example", **flags})["account"]["id"]
    key = operate("POST", f"accounts/{account}/keys", {"label": "contract"})["key"]["key"]
    operate("PUT", f"accounts/{account}/counties/06037", {"from_date": "2025-01-01"})
    prospects = [
        {"source_id": number, "last_name": f"Cole {number}", "crash_date": "2026-02-21", "crash_county_fips": "06037"}
        for number in range(150)
    ]
    operate("POST", "prospects", {"prospects": prospects})
    clients = [
        {"external_id": f"M-{number}", "first_name": "Ana", "last_name": f"Li {number}", "settled_on": "2026-02-27"}
        for number in range(150)
    ]
    call(url, "POST", "/api/v1/clients", key, {"clients": clients})
    return key


def hold(host: str) -> bool:
    state = tempfile.mkdtemp()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MATTERBOOK_")}
    with open(f"{state}/host.log", "wb") as log:
        process = subprocess.Popen(
            command(host, state, port), env=environment | SETTINGS, stdout=log, stderr=log, start_new_session=True
        )
        try:
            wait_for(url, process)
            environment |= {"API_KEY": furnish(url), "OPERATOR_TOKEN": OPERATOR_TOKEN}
            return all([try_out(host, url, document, environment) for document in DOCUMENTS])
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            shutil.rmtree(state, ignore_errors=True)


def try_out(host: str, url: str, document: str, environment: dict) -> bool:
    print(f"\n== {document} on the {host} host", flush=True)
    arguments = [str(SCHEMATHESIS), "run", str(PROJECT / document), "--url", url, "--checks", "all", "--no-color"]
    return subprocess.run(arguments, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(0 if all([hold(host) for host in sys.argv[1:]]) else 1)
