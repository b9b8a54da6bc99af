//! Numbers for the models: drawn at random, and the same ones each time.

/// Draws numbers from a seed (SplitMix64), the same ones each time.
pub struct Draw(pub u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`, which is positive.
    pub fn below(&mut self, bound: i64) -> i64 {
        i64::try_from(self.next() % bound.unsigned_abs()).unwrap_or_default()
    }

    pub fn one_of<'list, Item>(&mut self, list: &'list [Item]) -> Option<&'list Item> {
        let length = i64::try_from(list.len()).ok().filter(|length| *length > 0)?;
        list.get(usize::try_from(self.below(length)).ok()?)
    }
}
