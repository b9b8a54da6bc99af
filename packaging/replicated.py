"""A service that Litestream replicates into a directory, for the tests of packaging/check.

The programs that import it are called with PROGRAM LITESTREAM DIRECTORY. The directory is written to.
"""

import atexit
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
import urllib.request

program, litestream, work = map(os.path.abspath, sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))
POSTERS = 4
BATCH_ROWS = 50
LOAD_SECONDS = 12
WAIT_SECONDS_MAX = 60


def expect(is_so: bool, what: object) -> None:
    if not is_so:
        sys.exit(f"not as expected: {what}")


started: list[subprocess.Popen] = []


@atexit.register
def end_all() -> None:
    """Leaves no program behind, also where something is not as expected."""
    for process in started:
        if process.poll() is None:
            process.kill()


def start(command: list[str], **streams) -> subprocess.Popen:
    process = subprocess.Popen(command, **streams)
    started.append(process)
    return process


def status_of(process: subprocess.Popen) -> int:
    """Waits for a program's end."""
    try:
        return process.wait(WAIT_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        sys.exit(f"not as expected: {process.args} still runs after {WAIT_SECONDS_MAX} s")


def matterbook(database: str, *arguments: str) -> dict:
    command = [program, *arguments, "--json", "--db", database]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=WAIT_SECONDS_MAX)
    return json.loads(done.stdout)


def ask(port: int, key: str, path: str, body: object = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def serve(database: str, *more: str) -> tuple[subprocess.Popen, int]:
    """Returns the service and its port, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flags = ["--listen", f"127.0.0.1:{port}", "--rate-limit-per-minute", "0", "--client-delay-seconds", "0", *more]
    service = start([program, "serve", "--db", database, *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with select.epoll() as ready:
        ready.register(service.stdout, select.EPOLLIN)
        expect(ready.poll(WAIT_SECONDS_MAX) and service.stdout.readline(), "the service serves")
    return service, port


def configuration(database: str, replica: str) -> str:
    """Writes the shipped configuration with another database, and a directory in place of the bucket."""
    with open(f"{here}/litestream.yml") as file:
        text = file.read()
    bucket = "      type: s3\n      bucket: matterbook-replica\n      path: matterbook\n      region: us-east-1\n"
    for old, new in [
        ("/var/lib/matterbook/matterbook.db", database),
        (bucket, f"      type: file\n      path: {replica}\n"),
    ]:
        expect(old in text, f"litestream.yml has {old}")
        text = text.replace(old, new)
    name = f"{work}/litestream.yml"
    with open(name, "w") as file:
        file.write(text)
    return name


def post_until(end: float, port: int, key: str, poster: int, answered: dict[str, float]) -> None:
    number = 0
    while time.monotonic() < end:
        batch = f"{poster}-{number}"
        clients = [
            {"external_id": f"{batch}-{row}", "first_name": f"Ana{row}", "last_name": f"Sample{batch}"}
            for row in range(BATCH_ROWS)
        ]
        results = ask(port, key, "clients", {"clients": clients})["results"]
        expect(all(result["status"] == "created" for result in results), results[0])
        answered[batch] = time.monotonic()
        number += 1


def clients_of(port: int, key: str) -> list[str]:
    ids, cursor = [], ""
    while True:
        page = ask(port, key, f"clients?limit=100{cursor}")
        ids += [client["external_id"] for client in page["clients"]]
        if page["next_cursor"] is None:
            return ids
        cursor = f"&cursor={page['next_cursor']}"


def wait_for(is_so, what: str) -> None:
    """Waits until something is so."""
    began = time.monotonic()
    while not is_so():
        expect(time.monotonic() - began < WAIT_SECONDS_MAX, what)
        time.sleep(0.05)


def begin() -> tuple[str, str, str, subprocess.Popen, int, subprocess.Popen]:
    """Serves a database with one account that Litestream replicates: the database, the configuration, the account's key, the
    service, its port, Litestream."""
    os.mkdir(f"{work}/replicated")
    database, replica = f"{work}/replicated/matterbook.db", f"{work}/replica"
    config = configuration(database, replica)
    created = matterbook(database, "account", "create", "--email", "owner@firm.example", "--api-enabled")
    key = matterbook(database, "key", "create", "--account", created["account"]["id"])["key"]["key"]
    service, port = serve(database)
    log = open(f"{work}/litestream.log", "w")
    replicating = start([litestream, "replicate", "-config", config], stdout=log, stderr=log)
    wait_for(lambda: os.path.isdir(replica) or replicating.poll() is not None, "Litestream replicates")
    expect(replicating.poll() is None, open(log.name).read())
    return database, config, key, service, port, replicating


def load(port: int, key: str) -> dict[str, float]:
    """Posts batches for a while: when each was answered."""
    answered: dict[str, float] = {}
    end = time.monotonic() + LOAD_SECONDS
    posters = [
        threading.Thread(target=post_until, args=(end, port, key, poster, answered)) for poster in range(POSTERS)
    ]
    for poster in posters:
        poster.start()
    for poster in posters:
        poster.join()
    return answered


def batches_of(port: int, key: str) -> dict[str, int]:
    """The batches that a service has, and how many clients of each."""
    found: dict[str, int] = {}
    for name in clients_of(port, key):
        batch = name.rsplit("-", 1)[0]
        found[batch] = found.get(batch, 0) + 1
    return found


def end(process: subprocess.Popen) -> None:
    process.kill()
    status_of(process)
