//! Values as client lists have them: most in the usual forms, some in unusual ones, some unreadable.

use fastrand::Rng;

/// The same values in every run.
const SEED: u64 = 2_026;

fn list(count: usize, mut value: impl FnMut(&mut Rng) -> String) -> Vec<String> {
    let mut random = Rng::with_seed(SEED);
    (0..count).map(|_| value(&mut random)).collect()
}

/// Phone numbers: US numbers in ten forms, some with a label or an extension; numbers of other countries; too few digits.
pub(crate) fn phones(count: usize) -> Vec<String> {
    list(count, |random| {
        let (area, exchange, line) = (random.u32(201..990), random.u32(200..1_000), random.u32(0..10_000));
        match random.u8(0..20) {
            0..4 => format!("({area}) {exchange}-{line:04}"),
            4..7 => format!("{area}-{exchange}-{line:04}"),
            7..9 => format!("{area}{exchange}{line:04}"),
            9 => format!("{area}.{exchange}.{line:04}"),
            10 => format!("+1{area}{exchange}{line:04}"),
            11 => format!("1 {area} {exchange} {line:04}"),
            12 => format!("({area}) {exchange}-{line:04} x{}", random.u32(1..1_000)),
            13 => format!("{area}-{exchange}-{line:04} ext. {}", random.u32(1..1_000)),
            14 => format!("Cell: {area}-{exchange}-{line:04}"),
            15 => format!("{area}{exchange}{line:04}.0"),
            16 => format!("+44 20 7946 0{:03}", random.u32(0..1_000)),
            17 => format!("011 49 30 {:08}", random.u32(10_000_000..99_999_999)),
            18 => format!("{exchange}-{line:04}"),
            _ => format!("{area}-{exchange}-{line:04} / {area}-{exchange}-{:04}", random.u32(0..10_000)),
        }
    })
}

/// Dates: ISO, US and English forms, some with a time; days that no month has.
pub(crate) fn dates(count: usize) -> Vec<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    list(count, |random| {
        let (year, month, day) = (random.u32(1990..2027), random.usize(1..=12), random.u32(1..=28));
        let name = MONTHS[month - 1];
        match random.u8(0..20) {
            0..5 => format!("{year}-{month:02}-{day:02}"),
            5..9 => format!("{month}/{day}/{year}"),
            9..12 => format!("{month:02}/{day:02}/{year}"),
            12..14 => format!("{name} {day}, {year}"),
            14..16 => format!("{} {day}, {year}", &name[..3]),
            16 => format!("{year}-{month:02}-{day:02}T10:30:00-05:00"),
            17 => format!(" {month}/{day}/{year} "),
            18 => format!("2/30/{year}"),
            _ => format!("{day}.{month}.{year}"),
        }
    })
}

/// Email addresses: usual ones, with capitals, and texts that are none.
pub(crate) fn emails(count: usize) -> Vec<String> {
    list(count, |random| {
        let (name, number) =
            (["ana", "bob.sampleton", "carl+case", "d_emo"][random.usize(0..4)], random.u32(1..10_000));
        match random.u8(0..10) {
            0..6 => format!("{name}{number}@example.com"),
            6 => format!("{name}{number}@Mail.EXAMPLE.org"),
            7 => format!(" {name}{number}@example.com"),
            8 => format!("{name}{number}@example"),
            _ => format!("{name}{number} at example.com"),
        }
    })
}
