//! The system's clock and random bytes, from which ids and keys are made.

use std::collections::BTreeSet;

use matterbook::platform::SystemPlatform;
use matterbook_core::platform::Platform as _;

#[test]
fn no_random_bytes_are_handed_out_twice() {
    const DRAWS: usize = 320;
    let threads = [(); 4]
        .map(|()| std::thread::spawn(|| (0..DRAWS).map(|_| SystemPlatform::default().random()).collect::<Vec<_>>()));
    let drawn: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect();
    assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 4 * DRAWS);
    assert!(!drawn.contains(&[0; 32]));
}
