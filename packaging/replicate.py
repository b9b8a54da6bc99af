"""Runs the service with Litestream under load, ends both as a lost machine would, and counts what the copy lacks.

    replicate.py PROGRAM LITESTREAM DIRECTORY

Part of packaging/check. The directory is written to.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

program, litestream, work = map(os.path.abspath, sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))
POSTERS = 4
BATCH_ROWS = 50
LOAD_SECONDS = 12
# Litestream copies every second. What was answered this long before the end has to be in the copy.
WINDOW_SECONDS = 5
WAIT_SECONDS_MAX = 60


def expect(is_so: bool, what: object) -> None:
    if not is_so:
        sys.exit(f"not as expected: {what}")


def matterbook(database: str, *arguments: str) -> dict:
    command = [program, *arguments, "--json", "--db", database]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def ask(port: int, key: str, path: str, body: object = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def serve(database: str) -> tuple[subprocess.Popen, int]:
    """Returns the service and its port, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flags = ["--listen", f"127.0.0.1:{port}", "--rate-limit-per-minute", "0", "--client-delay-seconds", "0"]
    service = subprocess.Popen([program, "serve", "--db", database, *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    expect(service.stdout is not None and service.stdout.readline(), "the service serves")
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


os.mkdir(f"{work}/replicated")
database, replica = f"{work}/replicated/matterbook.db", f"{work}/replica"
config = configuration(database, replica)
account = matterbook(database, "account", "create", "--email", "owner@firm.example", "--api-enabled")["account"]["id"]
key = matterbook(database, "key", "create", "--account", account)["key"]["key"]
service, port = serve(database)
log = open(f"{work}/litestream.log", "w")
replicating = subprocess.Popen([litestream, "replicate", "-config", config], stdout=log, stderr=log)
began = time.monotonic()
while not os.path.isdir(replica):
    expect(replicating.poll() is None and time.monotonic() - began < WAIT_SECONDS_MAX, open(log.name).read())
    time.sleep(0.05)

answered: dict[str, float] = {}
end = time.monotonic() + LOAD_SECONDS
posters = [
    threading.Thread(target=post_until, args=(end, port, key, poster, answered)) for poster in range(POSTERS)
]
for poster in posters:
    poster.start()
for poster in posters:
    poster.join()
# The machine is lost: neither program ends in order, and its disk is gone.
service.kill()
replicating.kill()
lost_at = time.monotonic()
service.wait()
replicating.wait()
secret = f"{database}.key-secret"
restored = f"{work}/restored.db"
shutil.copy(secret, f"{restored}.key-secret")
shutil.rmtree(os.path.dirname(database))

began = time.monotonic()
restore = [litestream, "restore", "-config", config, "-o", restored, database]
# Litestream leaves the file open to others unless it is told not to.
done = subprocess.run(restore, capture_output=True, text=True, umask=0o077)
expect(done.returncode == 0, done.stderr)
doctor = subprocess.run([program, "doctor", "--db", restored], capture_output=True, text=True)
expect(doctor.returncode == 0, doctor.stdout + doctor.stderr)
service, port = serve(restored)
found: dict[str, int] = {}
for name in clients_of(port, key):
    batch = name.rsplit("-", 1)[0]
    found[batch] = found.get(batch, 0) + 1
seconds = time.monotonic() - began
expect(set(found.values()) <= {BATCH_ROWS}, "no batch is there by half")
missing = [lost_at - at for batch, at in answered.items() if batch not in found]
oldest = max(missing, default=0.0)
expect(oldest <= WINDOW_SECONDS, f"a batch is missing that was answered {oldest:.1f} s before the end")
sent = {"clients": [{"external_id": "after", "first_name": "Bo", "last_name": "Sample"}]}
expect(ask(port, key, "clients", sent)["results"][0]["status"] == "created", "the copy takes posts")
service.kill()
service.wait()
print(
    f"  {len(answered)} batches of {BATCH_ROWS} answered in {LOAD_SECONDS} s, {len(missing)} of them not in the copy, the oldest"
    f" answered {oldest:.1f} s before the end; it answered {seconds:.1f} s after the restore began, reading all included"
)
