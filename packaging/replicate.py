"""Runs the service with Litestream under load, ends both as a lost machine would, and counts what the copy lacks.

    replicate.py PROGRAM LITESTREAM DIRECTORY

Part of packaging/check. The directory is written to.
"""

import os
import shutil
import subprocess
import time

from replicated import (
    BATCH_ROWS, LOAD_SECONDS, WAIT_SECONDS_MAX, ask, batches_of, begin, end, expect, litestream, load, program, serve, status_of, work,
)

# Litestream copies every second. What was answered this long before the end has to be in the copy.
WINDOW_SECONDS = 5

database, config, key, service, port, replicating = begin()
answered = load(port, key)
# The machine is lost: neither program ends in order, and its disk is gone.
service.kill()
replicating.kill()
lost_at = time.monotonic()
status_of(service)
status_of(replicating)
secret = f"{database}.key-secret"
restored = f"{work}/restored.db"
shutil.copy(secret, f"{restored}.key-secret")
shutil.rmtree(os.path.dirname(database))

began = time.monotonic()
restore = [litestream, "restore", "-config", config, "-o", restored, database]
# Litestream leaves the file open to others unless it is told not to.
done = subprocess.run(restore, capture_output=True, text=True, umask=0o077, timeout=WAIT_SECONDS_MAX)
expect(done.returncode == 0, done.stderr)
doctor = subprocess.run([program, "doctor", "--db", restored], capture_output=True, text=True, timeout=WAIT_SECONDS_MAX)
expect(doctor.returncode == 0, doctor.stdout + doctor.stderr)
service, port = serve(restored)
found = batches_of(port, key)
seconds = time.monotonic() - began
expect(set(found.values()) <= {BATCH_ROWS}, "no batch is there by half")
missing = [lost_at - at for batch, at in answered.items() if batch not in found]
oldest = max(missing, default=0.0)
expect(oldest <= WINDOW_SECONDS, f"a batch is missing that was answered {oldest:.1f} s before the end")
sent = {"clients": [{"external_id": "after", "first_name": "Bo", "last_name": "Sample"}]}
expect(ask(port, key, "clients", sent)["results"][0]["status"] == "created", "the copy takes posts")
end(service)
print(
    f"  {len(answered)} batches of {BATCH_ROWS} answered in {LOAD_SECONDS} s, {len(missing)} of them not in the copy, the oldest"
    f" answered {oldest:.1f} s before the end; it answered {seconds:.1f} s after the restore began, reading all included"
)
