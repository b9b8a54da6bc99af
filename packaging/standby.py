"""Runs a service with Litestream, and a standby on the copy that a second Litestream follows. Reads the standby and checks its
file while the first is under load, loses the first machine, lets the standby take over, and counts what it lacks.

    standby.py PROGRAM LITESTREAM DIRECTORY

Part of packaging/check. The directory is written to.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

from replicated import (
    BATCH_ROWS, LOAD_SECONDS, WAIT_SECONDS_MAX, ask, batches_of, begin, end, expect, litestream, load, matterbook, program, serve, start,
    status_of, wait_for, work,
)

READERS = 4
# Litestream copies every second, and its follower looks every second.
WINDOW_SECONDS = 8
# From the operator's first command to the first answer.
TAKEOVER_SECONDS_MAX = 60


def follow(copy: str) -> subprocess.Popen:
    log = open(f"{work}/follower.log", "a")
    command = [litestream, "restore", "-f", "-config", config, "-o", copy, database]
    # Litestream leaves the file open to others unless it is told not to.
    return start(command, stdout=log, stderr=log, umask=0o077)


def integrity(copy: str) -> str:
    """What SQLite finds in a copy, with a connection of its own."""
    connection = sqlite3.connect(f"file:{copy}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute("pragma integrity_check").fetchone()[0]
    finally:
        connection.close()


def lag_seconds(port: int) -> float:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
        health = json.load(answer)
    expect(health["status"] == "standby", health)
    return (datetime.now(timezone.utc) - datetime.fromisoformat(health["copied_until"])).total_seconds()


def read_until_over(read) -> None:
    while not is_over.is_set():
        try:
            read()
        except (Exception, SystemExit) as error:
            failures.append(repr(error))
            return


def read_page() -> None:
    page = ask(standby_port, key, "clients?limit=100")
    expect(len(page["clients"]) > 0, page)
    counts["pages"] += 1


def check_copy() -> None:
    verdict = integrity(copy)
    expect(verdict == "ok", verdict)
    counts["checks"] += 1
    time.sleep(0.2)


def measure_lag() -> None:
    lags.append(lag_seconds(standby_port))
    time.sleep(0.1)


database, config, key, service, port, replicating = begin()
copy = f"{work}/standby.db"
shutil.copy(f"{database}.key-secret", f"{copy}.key-secret")
first = {"clients": [{"external_id": "first-0", "first_name": "Ana", "last_name": "Sample"}]}
ask(port, key, "clients", first)
time.sleep(3)
follower = follow(copy)
wait_for(lambda: os.path.exists(f"{copy}-txid"), "the follower restores")
standby, standby_port = serve(copy, "--standby")

is_over, failures, counts, lags = threading.Event(), [], {"pages": 0, "checks": 0}, []
work_of_readers = [read_page] * READERS + [check_copy, measure_lag]
readers = [threading.Thread(target=read_until_over, args=(read,), daemon=True) for read in work_of_readers]
for reader in readers:
    reader.start()
answered = load(port, key)
is_over.set()
for reader in readers:
    reader.join()
expect(not failures, failures)
# A follower that is killed restores the whole copy, as its unit has it; the standby serves what is there.
end(follower)
for suffix in ["", "-wal", "-shm", "-txid"]:
    if os.path.exists(f"{copy}{suffix}"):
        os.remove(f"{copy}{suffix}")
follower = follow(copy)
wait_for(lambda: os.path.exists(f"{copy}-txid"), "the follower restores")
ask(standby_port, key, "clients")
# The machine is lost.
service.kill()
replicating.kill()
lost_at = time.monotonic()
status_of(service)
status_of(replicating)
try:
    ask(standby_port, key, "clients", first)
    expect(False, "the standby refuses changes")
except urllib.error.HTTPError as refused:
    expect(refused.code == 503 and refused.headers["Retry-After"] == "60", refused.code)

# What is in the replica arrives within a few of the follower's looks.
time.sleep(5)
# The operator's words.
began = time.monotonic()
follower.send_signal(signal.SIGTERM)
status_of(follower)
standby.send_signal(signal.SIGTERM)
status_of(standby)
taken = matterbook(copy, "takeover")
service, port = serve(copy)
ask(port, key, "me")
seconds = time.monotonic() - began
expect(seconds <= TAKEOVER_SECONDS_MAX, f"it took {seconds:.1f} s")
doctor = subprocess.run([program, "doctor", "--db", copy], capture_output=True, text=True, timeout=WAIT_SECONDS_MAX)
expect(doctor.returncode == 0, doctor.stdout + doctor.stderr)
found = batches_of(port, key)
del found["first"]
expect(set(found.values()) <= {BATCH_ROWS}, "no batch is there by half")
missing = [lost_at - at for batch, at in answered.items() if batch not in found]
oldest = max(missing, default=0.0)
expect(oldest <= WINDOW_SECONDS, f"a batch is missing that was answered {oldest:.1f} s before the end")
sent = {"clients": [{"external_id": "after", "first_name": "Bo", "last_name": "Sample"}]}
expect(ask(port, key, "clients", sent)["results"][0]["status"] == "created", "the copy takes posts")
end(service)
again = follow(copy)
expect(status_of(again) != 0, "no follower writes into the main database")
expect(integrity(copy) == "ok", "the database is whole")
print(
    f"  {counts['pages']} pages read from the standby while it was followed, {counts['checks']} integrity checks of its copy; at most"
    f" {max(lags):.1f} s old; {len(answered)} batches of {BATCH_ROWS} answered in {LOAD_SECONDS} s, {len(missing)} of them not in"
    f" the copy, the oldest answered {oldest:.1f} s before the end; it took over within {seconds:.1f} s; until {taken['takeover']['copied_until']}"
)
