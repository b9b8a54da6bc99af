"""Serves the hosts and runs the sessions of the generated clients against them."""

import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from served import PROJECT, call, clean_environment, served  # noqa: E402

OPERATOR_TOKEN = "the-operator-token-of-all-the-clients"
SETTINGS = {
    "MATTERBOOK_OPERATOR_TOKEN": OPERATOR_TOKEN,
    # What is written shows at once. The rate limit is the one that callers meet.
    "MATTERBOOK_CLIENT_DELAY_SECONDS": "0",
    "MATTERBOOK_PROSPECT_DELAY_SECONDS": "0",
}
BUILT = PROJECT / "target/clients"
PROGRAMS = {
    "Python": [[sys.executable, str(BUILT / f"python/{name}.py")] for name in ("example", "session")],
    "TypeScript": [["node", str(BUILT / f"typescript/client/{name}.js")] for name in ("example", "session")],
}
PROSPECTS = 5


def furnish(url: str) -> dict[str, str]:
    """An account without clients, with prospects and two keys, one of them to be used up."""

    def operate(method: str, path: str, body: object = None) -> dict:
        return call(url, method, f"/operator/v1/{path}", OPERATOR_TOKEN, body)

    flags = {"api_enabled": True, "digital_bundle": True, "contact_enrichment": True}
    account = operate("POST", "accounts", {"email": "owner@firm.example", **flags})["account"]["id"]
    operate("PUT", f"accounts/{account}/counties/06037", {"from_date": "2025-01-01"})
    prospects = [
        {
            "source_id": number,
            "last_name": f"Cole {number}",
            "person_type": "driver",
            "crash_date": "2026-02-21",
            "crash_county_fips": "06037",
        }
        for number in range(PROSPECTS)
    ]
    operate("POST", "prospects", {"prospects": prospects})
    keys = [operate("POST", f"accounts/{account}/keys", {"label": label})["key"]["key"] for label in ("work", "flood")]
    return {"MATTERBOOK_KEY": keys[0], "FLOOD_KEY": keys[1]}


def hold(host: str) -> bool:
    """Whether every program ends well, each language on a database of its own."""
    outcomes = []
    for language, programs in PROGRAMS.items():
        for program in programs:
            name = f"{pathlib.Path(program[-1]).stem} in {language} on the {host} host"
            with served(host, SETTINGS) as url:
                environment = clean_environment() | {"MATTERBOOK_URL": url} | furnish(url)
                succeeded = subprocess.run(program, env=environment, check=False).returncode == 0
            print(f"{'ok' if succeeded else 'FAILED'}: {name}", flush=True)
            outcomes.append(succeeded)
    return all(outcomes)


if __name__ == "__main__":
    sys.exit(0 if all([hold(host) for host in sys.argv[1:]]) else 1)
