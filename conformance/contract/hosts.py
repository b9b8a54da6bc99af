"""Serves the hosts and lets schemathesis try out what the documents promise."""

import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from served import PROJECT, call, clean_environment, served  # noqa: E402

SCHEMATHESIS = pathlib.Path(sys.executable).with_name("schemathesis")
DOCUMENTS = ["core/openapi.json", "docs/operator-openapi.json"]
OPERATOR_TOKEN = "the-operator-token-of-all-the-contract"
SETTINGS = {
    "MATTERBOOK_OPERATOR_TOKEN": OPERATOR_TOKEN,
    # The largest there is: every answer says what is left, and nobody has to wait.
    "MATTERBOOK_RATE_LIMIT_PER_MINUTE": "10000",
    # What is written shows at once, so that pages have something on them.
    "MATTERBOOK_CLIENT_DELAY_SECONDS": "0",
    "MATTERBOOK_PROSPECT_DELAY_SECONDS": "0",
}


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
    with served(host, SETTINGS) as url:
        environment = clean_environment() | {"API_KEY": furnish(url), "OPERATOR_TOKEN": OPERATOR_TOKEN}
        return all([try_out(host, url, document, environment) for document in DOCUMENTS])


def try_out(host: str, url: str, document: str, environment: dict) -> bool:
    arguments = [str(SCHEMATHESIS), "run", str(PROJECT / document), "--url", url, "--checks", "all", "--no-color"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    outcome = subprocess.run(arguments, env=environment, check=False, **options)
    print(f"\n== {document} on the {host} host\n{outcome.stdout}", flush=True)
    return outcome.returncode == 0


if __name__ == "__main__":
    # Schemathesis uses one processor.
    with ThreadPoolExecutor() as hosts:
        sys.exit(0 if all(list(hosts.map(hold, sys.argv[1:]))) else 1)
