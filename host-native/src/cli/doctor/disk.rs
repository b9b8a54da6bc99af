//! The disk under the database: its free space, and whether its file system is durable.

use std::path::Path;

use rustix::fs::{statfs, statvfs};

use super::finding::{Finding, size};
use crate::private_file::with_suffix;

/// With less than this, the next import may not fit.
const FREE_BYTES_MIN: u64 = 256 << 20;

pub(super) fn examine(database: &Path, findings: &mut Vec<Finding>) {
    if let Ok(disk) = statvfs(database) {
        let bytes = |file: &Path| file.metadata().map_or(0, |metadata| metadata.len());
        let kept = bytes(database) + bytes(&with_suffix(database, "-wal"));
        findings.push(room(disk.f_bavail.saturating_mul(disk.f_frsize), kept));
    }
    if let Ok(disk) = statfs(database) {
        // The type of `f_type` differs by platform; its values are 32-bit numbers.
        findings.push(file_system(u64::try_from(disk.f_type).unwrap_or_default() & 0xffff_ffff));
    }
}

/// Whether the free space is enough for a database of this size.
fn room(free: u64, kept: u64) -> Finding {
    let fix = "Make room, or move the database to a larger disk.";
    if free < FREE_BYTES_MIN {
        let message = format!("{} are free: soon nothing can be saved.", size(free));
        return Finding::wrong("disk space", message, fix);
    }
    if free < kept {
        let message =
            format!("{} are free, less than the database has: a backup does not fit on this disk.", size(free));
        return Finding::warn("disk space", message, fix);
    }
    Finding::ok("disk space", format!("{} are free.", size(free)))
}

/// What is known about a type of file system, by its number (`statfs(2)`).
fn file_system(kind: u64) -> Finding {
    const NETWORK: [(u64, &str); 8] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB 2"),
        (0x0102_1997, "9P"),
        (0x00c3_6400, "Ceph"),
        (0x5346_414f, "AFS"),
        (0x0bd0_0bd0, "Lustre"),
    ];
    const VOLATILE: [(u64, &str, &str); 3] = [
        (0x0102_1994, "tmpfs", "It is memory: a restart of the machine loses the database"),
        (0x8584_58f6, "ramfs", "It is memory: a restart of the machine loses the database"),
        (0x794c_7630, "overlayfs", "It is a container's own layer: the database is lost with the container"),
    ];
    const FUSE: u64 = 0x6573_5546;
    let local = "Keep the database on a local disk, or in a volume that is one.";
    if let Some((_, name)) = NETWORK.iter().find(|(known, _)| *known == kind) {
        let message =
            format!("The file system is {name}, over a network: SQLite's write-ahead log does not work there.");
        return Finding::wrong("file system", message, local);
    }
    if let Some((_, name, why)) = VOLATILE.iter().find(|(known, ..)| *known == kind) {
        return Finding::warn("file system", format!("The file system is {name}. {why}."), local);
    }
    if kind == FUSE {
        let message =
            "The file system is one of FUSE: many of them are networks, where the write-ahead log does not work.";
        return Finding::warn("file system", message, local);
    }
    Finding::ok("file system", "It is a local one.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::Verdict;

    #[test]
    fn a_disk_has_room_for_more_and_for_a_backup() {
        assert_eq!(room(100 << 20, 1 << 20).verdict, Verdict::Wrong);
        assert_eq!(room(1 << 30, 2 << 30).verdict, Verdict::Warn);
        assert_eq!(room(3 << 30, 2 << 30).verdict, Verdict::Ok);
    }

    #[test]
    fn networks_are_wrong_and_memory_is_told() {
        assert_eq!(file_system(0x6969).verdict, Verdict::Wrong, "NFS");
        assert_eq!(file_system(0xfe53_4d42).verdict, Verdict::Wrong, "SMB 2");
        assert_eq!(file_system(0x0102_1994).verdict, Verdict::Warn, "tmpfs");
        assert_eq!(file_system(0x6573_5546).verdict, Verdict::Warn, "FUSE");
        assert_eq!(file_system(0xef53).verdict, Verdict::Ok, "ext4");
    }
}
