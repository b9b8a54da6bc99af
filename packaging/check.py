"""Runs the service under the unit's filter of system calls, sends requests through nginx, and reads the metrics.

    check.py PROGRAM DIRECTORY

Part of packaging/check. The directory has key.pem and certificate.pem; it is written to.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

program, work = map(os.path.abspath, sys.argv[1:])
here = os.path.dirname(os.path.abspath(__file__))
# The service runs as an unprivileged user: as root, SQLite makes further system calls.
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
TOKEN = "operator-token-of-this-check-0123456789"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def expect(is_so: bool, what: object) -> None:
    if not is_so:
        sys.exit(f"not as expected: {what}")


def matterbook(*arguments: str) -> dict:
    flags = ["--json", "--db", f"{work}/matterbook.db"]
    done = subprocess.run([program, *arguments, *flags], check=True, capture_output=True, text=True, **NOBODY)
    return json.loads(done.stdout)


def ask(origin: str, method: str, path: str, key: str | None = None, body: object = None) -> tuple[int, dict, bytes]:
    """Returns status, headers and body. Trusts the test's own certificate."""
    host = origin.removeprefix("https://")
    context = ssl.create_default_context(cafile=f"{work}/certificate.pem")
    context.check_hostname = False
    connection = http.client.HTTPSConnection(host, context=context, timeout=60)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body)
    connection.request(method, path, data, headers)
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def nginx(upstream: str, port: int) -> str:
    """Writes a complete configuration around the shipped one, with other addresses, certificate and log."""
    with open(f"{here}/nginx.conf") as file:
        text = file.read()
    for old, new in [
        ("127.0.0.1:8080", upstream), ("listen 443 ssl http2", f"listen 127.0.0.1:{port} ssl http2"),
        ("    listen [::]:443 ssl http2;\n", ""), ("/etc/ssl/matterbook.pem", f"{work}/certificate.pem"),
        ("/etc/ssl/private/matterbook.key", f"{work}/key.pem"), ("/var/log/nginx/matterbook.log", f"{work}/access.log"),
    ]:
        expect(old in text, f"nginx.conf has {old}")
        text = text.replace(old, new)
    whole = f"daemon off; pid {work}/nginx.pid; error_log {work}/error.log; events {{}} http {{\n" + "".join(
        f"{name}_temp_path {work}/nginx-{name};\n" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    ) + text + "}\n"
    name = f"{work}/nginx.conf"
    with open(name, "w") as file:
        file.write(whole)
    checked = subprocess.run(["nginx", "-t", "-q", "-c", name], capture_output=True, text=True)
    expect(checked.returncode == 0, checked.stderr)
    return name


def hold_service(origin: str, key: str, account: str) -> None:
    status, headers, body = ask(origin, "GET", "/api/v1/me", key)
    expect(status == 200 and json.loads(body)["account"]["id"] == account and "x-request-id" in headers, (status, body))
    status, headers, _ = ask(origin, "GET", "/api/v1/me")
    expect(status == 401 and headers.get("www-authenticate", "").startswith("Bearer"), headers)
    clients = {"clients": [{"external_id": str(number), "last_name": "Sampleton"} for number in range(500)]}
    for _ in range(3):
        status, _, body = ask(origin, "POST", "/api/v1/clients", key, clients)
        expect(status == 200 and len(json.loads(body)["results"]) == 500, (status, body[:200]))
    # Over Matterbook's limit and within nginx's: the caller gets the JSON.
    status, headers, body = ask(origin, "POST", "/api/v1/clients", key, b" " * (13 << 20))
    expect(status == 413 and json.loads(body)["error"]["code"] == "invalid_request", (status, body[:200]))
    for path in ["/healthz", "/openapi.json", "/docs"]:
        expect(ask(origin, "GET", path)[0] == 200, path)
    for path in ["/operator/v1/settings", "/metrics", "/"]:
        expect(ask(origin, "GET", path, TOKEN)[0] == 404, path)


def hold_log(request_id: str) -> None:
    with open(f"{work}/access.log") as file:
        lines = [json.loads(line) for line in file]
    expect(any(line["request_id"] == request_id for line in lines), "the request's id in nginx's log")
    expect("clients" not in json.dumps(lines), "no path in nginx's log")


def hold_metrics(url: str) -> None:
    """Checks the metrics with Prometheus's parser, and the rules that the parser does not check."""
    with urllib.request.urlopen(url) as answer:
        page = answer.read().decode()
    families = list(text_string_to_metric_families(page))
    names = [family.name for family in families]
    expect(len(names) == len(set(names)) > 15, names)
    seen = set()
    for family in families:
        expect(family.type in ("counter", "gauge", "histogram") and family.documentation, family)
        buckets: dict = {}
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            expect((sample.name, labels) not in seen, sample)
            seen.add((sample.name, labels))
            rest = tuple(pair for pair in labels if pair[0] != "le")
            if sample.name.endswith("_bucket"):
                buckets.setdefault(rest, []).append((float(sample.labels["le"]), sample.value))
            elif sample.name.endswith("_count") and family.type == "histogram":
                expect(buckets[rest][-1] == (float("inf"), sample.value), sample)
        for rising in buckets.values():
            expect(rising == sorted(rising) and all(a[1] <= b[1] for a, b in zip(rising, rising[1:])), family.name)
    created = [sample.value for family in families for sample in family.samples
               if sample.name == "matterbook_clients_total" and sample.labels["outcome"] == "created"]
    expect(created == [500.0], created)


def unfold() -> list[str]:
    """Copies the program and the filter to where the unprivileged user can read them."""
    global program
    for file in (program, f"{here}/filtered.py", f"{here}/matterbook.service"):
        shutil.copy(file, work)
    program = f"{work}/{os.path.basename(program)}"
    if NOBODY:
        os.chown(work, NOBODY["user"], NOBODY["group"])
    return ["/usr/bin/python3", f"{work}/filtered.py", f"{work}/matterbook.service"]


def hold_notification(ready: socket.socket) -> None:
    ready.settimeout(60)
    expect(b"READY=1" in ready.recv(4096), "READY=1")


def main() -> None:
    filtered = unfold()
    account = matterbook("account", "create", "--email", "owner@example.com", "--api-enabled")["account"]["id"]
    key = matterbook("key", "create", "--account", account)["key"]["key"]
    ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ready.bind(f"{work}/notify")
    os.chmod(f"{work}/notify", 0o777)
    environment = {"MATTERBOOK_OPERATOR_TOKEN": TOKEN, "NOTIFY_SOCKET": f"{work}/notify", "PATH": os.environ["PATH"]}
    listen = ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--db", f"{work}/matterbook.db"]
    with open(f"{work}/log", "w") as log:
        service = subprocess.Popen([*filtered, program, "serve", *listen], env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=log, **NOBODY)
    port = free_port()
    proxy = None
    try:
        address, metrics = (re.search(r"http://\S+?(?=/api|[. ]*$)", service.stdout.readline()) for _ in range(2))
        expect(address is not None and metrics is not None, "two addresses")
        hold_notification(ready)
        proxy = subprocess.Popen(["nginx", "-c", nginx(address[0].removeprefix("http://"), port)])
        origin = f"https://127.0.0.1:{port}"
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        hold_service(origin, key, account)
        _, headers, _ = ask(origin, "GET", "/api/v1/clients?external_id=1", key)
        hold_metrics(metrics[0])
        matterbook("backup", f"{work}/copy.db")
        service.send_signal(signal.SIGTERM)
        expect(service.wait(60) == 0, f"the service ends cleanly: {service.returncode}")
        expect(b"STOPPING=1" in ready.recv(4096), "STOPPING=1")
        proxy.terminate()
        proxy.wait(30)
        hold_log(headers["x-request-id"])
    finally:
        for process in (service, proxy):
            if process is not None and process.poll() is None:
                process.kill()
    # The filter works: a system call outside it ends the program.
    outside = subprocess.run([*filtered, "/usr/bin/python3", "-c", "import os; os.chroot('/')"], capture_output=True)
    expect(outside.returncode == -signal.SIGSYS, f"a call outside of the filter: {outside.returncode}")


main()
