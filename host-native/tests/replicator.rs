//! A second process replicates the write-ahead log, as Litestream does: it keeps a read transaction open,
//! writes its own table, and checkpoints the log after reading it (docs/operating.md,
//! "Litestream").

use std::{path::Path, time::Duration};

use crate::support::{Place, Serving, account, batch, run};
use rusqlite::Connection;

/// What Litestream's connections do to a database.
struct Replicator {
    reading: Connection,
    writing: Connection,
}

impl Replicator {
    fn start(database: &Path) -> Self {
        let open = || {
            let connection = Connection::open(database).expect("a connection");
            connection.busy_timeout(Duration::from_secs(5)).expect("patience");
            connection.pragma_update(None, "wal_autocheckpoint", 0).expect("its own");
            connection
        };
        let (reading, writing) = (open(), open());
        writing
            .execute_batch(
                "create table _litestream_seq (id integer primary key, seq integer);
                 create table _litestream_lock (id integer);",
            )
            .expect("its tables");
        let replicator = Self { reading, writing };
        replicator.hold();
        replicator
    }

    /// Opens a read transaction, which keeps the log from restarting.
    fn hold(&self) {
        let count = "begin; select count(*) from _litestream_seq";
        self.reading.execute_batch(count).expect("a reading transaction");
    }

    fn let_go(&self) {
        self.reading.execute_batch("rollback").expect("ended");
    }

    /// Checkpoints the log and restarts it from its beginning.
    fn checkpoint(&self, mode: &str) {
        self.let_go();
        // Where the service is in the way, it is tried again the next time.
        let _ = self.writing.query_row(&format!("pragma wal_checkpoint({mode})"), [], |_| Ok(()));
        let next = "insert into _litestream_seq (id, seq) values (1, 1) on conflict (id) do update set seq = seq + 1";
        self.writing.execute_batch(next).expect("written");
        self.hold();
    }
}

fn log_bytes(place: &Place) -> u64 {
    std::fs::metadata(place.file("matterbook.db-wal")).expect("a log").len()
}

#[test]
fn a_replicator_that_checkpoints_the_log_loses_no_data() {
    // Past what the service lets it grow to.
    const LOG_BYTES: u64 = 20 << 20;
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start(&place.database());
    let replicator = Replicator::start(&place.database());
    let mut batches = 0;
    for mode in ["passive", "truncate"] {
        while log_bytes(&place) < LOG_BYTES {
            assert!(batches < 500, "the log is begun anew although somebody reads it");
            let ids = (0..500).map(|row| format!("{batches}-{row}"));
            assert_eq!(serving.post(&key, "/api/v1/clients", &batch(ids)).0, 200);
            batches += 1;
        }
        replicator.checkpoint(mode);
        replicator.checkpoint("truncate");
        assert!(log_bytes(&place) < 1 << 20, "it is begun anew");
    }
    assert_eq!(serving.clients(&key).len(), batches * 500);

    // The stop does not wait for ever for who reads.
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
    replicator.let_go();
    let database = place.database();
    let examined = run(&["doctor", "--listen", "127.0.0.1:1", "--db", database.to_str().expect("a plain name")]);
    let text = String::from_utf8_lossy(&examined.stdout).into_owned();
    assert!(text.contains("Every page, row and index is whole."), "{text}");
}
