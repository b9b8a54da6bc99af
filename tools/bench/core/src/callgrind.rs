//! Counts a program's instructions under callgrind, with the same result on every x86-64 machine.
//!
//! Two parts of the C library would differ between machines:
//!
//! - Copying and comparing memory has an implementation for each kind of processor. Callgrind counts
//!   one of them once per byte. So the library is told to use its baseline implementation.
//! - Allocation costs differ by release and by the state of the heap. So the allocator's instructions
//!   are left out, and each allocation counts as a fixed number.

use std::{ffi::OsString, io::ErrorKind, path::Path, process::Command};

use crate::Outcome;

/// The instructions counted for an allocation and its release. The C library of a common Linux needs 50 to
/// 170.
const ALLOCATION_INSTRUCTIONS: usize = 100;

const ALLOCATING: [&str; 5] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];
const FREEING: &str = "free";

/// The processor features to disable, so that the C library uses its baseline implementations.
const PLAINEST_FORMS: &str = "glibc.cpu.hwcaps=-SSSE3,-SSE4_1,-SSE4_2,-MOVBE,-BMI2,-AVX2,\
                              -AVX_Fast_Unaligned_Load,-AVX512F,-AVX512VL,-ERMS,-FSRM";

/// The instructions of a program from the entry of `count_from` to the return of `count_until`.
///
/// # Errors
/// When valgrind is missing, the program fails, or it never calls these functions.
pub fn count(program: &Path, argument: &str) -> Outcome<usize> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("instructions are counted and compared on x86-64 Linux only".into());
    }
    let directory = tempfile::tempdir()?;
    let profile = directory.path().join("profile");
    let output = Command::new("valgrind")
        .args(["--command-line-only=yes", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no"])
        // Resets the counts of what ran before. (Toggling collection would count calls while it is off.)
        .args(["--zero-before=*count_from*", "--dump-after=*count_until*"])
        .arg(option("--callgrind-out-file=", &profile))
        .arg(program)
        .arg(argument)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("GLIBC_TUNABLES", PLAINEST_FORMS)
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => "there is no valgrind; Debian has it in its package valgrind".to_owned(),
            _ => format!("valgrind cannot be started: {error}"),
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{argument}: ended with {}\n{said}", output.status).into());
    }
    // The first profile is the requested one; that of later instructions has a number in its name.
    let profile = std::fs::read_to_string(profile.with_extension("1"))
        .map_err(|error| format!("{argument}: callgrind found nothing to count: {error}"))?;
    instructions(&profile).ok_or_else(|| format!("{argument}: the profile cannot be read").into())
}

fn option(name: &str, value: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(value);
    option
}

/// The instructions of a profile in callgrind's format, with names written out.
fn instructions(profile: &str) -> Option<usize> {
    let mut total = None;
    let (mut within, mut allocations) = (0, 0);
    // The call whose cost is on the next line: whether into another object, its name, and the number of
    // calls.
    let (mut is_foreign, mut callee, mut calls) = (false, "", None);
    for line in profile.lines() {
        if let Some(cost) = line.strip_prefix("totals: ") {
            total = cost.trim().parse::<usize>().ok();
        } else if line.starts_with("cob=") {
            is_foreign = true;
        } else if let Some(name) = line.strip_prefix("cfn=") {
            // A versioned symbol is written as `name@version`.
            callee = name.split('@').next().unwrap_or_default();
        } else if let Some(times) = line.strip_prefix("calls=") {
            calls = times.split(' ').next().and_then(|times| times.parse::<usize>().ok());
        } else if line.starts_with(|start: char| start.is_ascii_digit()) {
            // The allocator's calls of itself are left out with it.
            if let (true, Some(calls)) = (is_foreign, calls) {
                let allocates = ALLOCATING.contains(&callee);
                if allocates || callee == FREEING {
                    within += line.split(' ').nth(1).and_then(|cost| cost.parse::<usize>().ok())?;
                }
                allocations += if allocates { calls } else { 0 };
            }
            (is_foreign, calls) = (false, None);
        }
    }
    Some(total?.saturating_sub(within) + ALLOCATION_INSTRUCTIONS * allocations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "\
# callgrind format
positions: line
events: Ir
summary: 1900

ob=/place/hot_path
fl=???
fn=rule
0 700
cob=/lib/libc.so.6
cfn=malloc
calls=3 0
0 400
cob=/lib/libc.so.6
cfn=memcpy@GLIBC_2.2.5
calls=9 0
0 500
cfn=free
calls=1 0
0 50

ob=/lib/libc.so.6
fn=realloc
0 200
cfn=malloc
calls=1 0
0 100

ob=/place/hot_path
fn=rule
cob=/lib/libc.so.6
cfn=realloc@GLIBC_2.2.5
calls=1 0
0 300
cob=/lib/libc.so.6
cfn=free
calls=4 0
0 250

totals: 1900
";

    #[test]
    fn an_allocation_counts_the_same_whatever_the_allocator_does_for_it() {
        assert_eq!(instructions(PROFILE), Some(1_900 - 400 - 300 - 250 + 4 * ALLOCATION_INSTRUCTIONS));
        let slower = PROFILE.replace("0 300\n", "0 800\n").replace("1900", "2400");
        assert_eq!(instructions(&slower), instructions(PROFILE));
    }

    #[test]
    fn one_more_allocation_and_one_more_instruction_count() {
        let more = PROFILE.replace("calls=3 0", "calls=4 0");
        assert_eq!(instructions(&more), instructions(PROFILE).map(|count| count + ALLOCATION_INSTRUCTIONS));
        let longer = PROFILE.replace("totals: 1900", "totals: 1901");
        assert_eq!(instructions(&longer), instructions(PROFILE).map(|count| count + 1));
    }

    #[test]
    fn what_is_no_profile_has_no_count() {
        for text in ["", "==7== Callgrind", "totals: many\n"] {
            assert_eq!(instructions(text), None, "{text}");
        }
    }
}
