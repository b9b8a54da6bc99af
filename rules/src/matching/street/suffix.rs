//! Street suffixes (USPS Publication 28, Appendix C1).

use super::{table::Table, word::Word};

/// The standard abbreviation of a street suffix in any of its listed spellings. Spellings that
/// also mean something else, such as `cr` (creek, county road), are not among them.
pub(super) fn standard(word: Word<'_>) -> Option<&'static str> {
    SUFFIXES.find(word.key)
}

/// Sorted spellings, each with its standard abbreviation.
#[rustfmt::skip]
static SUFFIXES: Table<&str, 564> = Table::new([
    ("allee", "aly"), ("alley", "aly"), ("ally", "aly"), ("aly", "aly"), ("anex", "anx"), ("annex", "anx"),
    ("annx", "anx"), ("anx", "anx"), ("arc", "arc"), ("arcade", "arc"), ("av", "ave"), ("ave", "ave"),
    ("aven", "ave"), ("avenu", "ave"), ("avenue", "ave"), ("avn", "ave"), ("avnue", "ave"), ("bayoo", "byu"),
    ("bayou", "byu"), ("bch", "bch"), ("beach", "bch"), ("bend", "bnd"), ("bg", "bg"), ("bgs", "bgs"), ("blf", "blf"),
    ("blfs", "blfs"), ("bluf", "blf"), ("bluff", "blf"), ("bluffs", "blfs"), ("blvd", "blvd"), ("bnd", "bnd"),
    ("bot", "btm"), ("bottm", "btm"), ("bottom", "btm"), ("boul", "blvd"), ("boulevard", "blvd"), ("boulv", "blvd"),
    ("br", "br"), ("branch", "br"), ("brdge", "brg"), ("brg", "brg"), ("bridge", "brg"), ("brk", "brk"),
    ("brks", "brks"), ("brnch", "br"), ("brook", "brk"), ("brooks", "brks"), ("btm", "btm"), ("burg", "bg"),
    ("burgs", "bgs"), ("byp", "byp"), ("bypa", "byp"), ("bypas", "byp"), ("bypass", "byp"), ("byps", "byp"),
    ("byu", "byu"), ("camp", "cp"), ("canyn", "cyn"), ("canyon", "cyn"), ("cape", "cpe"), ("causeway", "cswy"),
    ("causwa", "cswy"), ("causway", "cswy"), ("cen", "ctr"), ("cent", "ctr"), ("center", "ctr"), ("centers", "ctrs"),
    ("centr", "ctr"), ("centre", "ctr"), ("cir", "cir"), ("circ", "cir"), ("circl", "cir"), ("circle", "cir"),
    ("circles", "cirs"), ("cirs", "cirs"), ("clb", "clb"), ("clf", "clf"), ("clfs", "clfs"), ("cliff", "clf"),
    ("cliffs", "clfs"), ("club", "clb"), ("cmn", "cmn"), ("cmns", "cmns"), ("cmp", "cp"), ("cnter", "ctr"),
    ("cntr", "ctr"), ("cnyn", "cyn"), ("common", "cmn"), ("commons", "cmns"), ("cor", "cor"), ("corner", "cor"),
    ("corners", "cors"), ("cors", "cors"), ("course", "crse"), ("court", "ct"), ("courts", "cts"), ("cove", "cv"),
    ("coves", "cvs"), ("cp", "cp"), ("cpe", "cpe"), ("crcl", "cir"), ("crcle", "cir"), ("crecent", "cres"),
    ("creek", "crk"), ("cres", "cres"), ("crescent", "cres"), ("cresent", "cres"), ("crest", "crst"), ("crk", "crk"),
    ("crossing", "xing"), ("crossroad", "xrd"), ("crossroads", "xrds"), ("crscnt", "cres"), ("crse", "crse"),
    ("crsent", "cres"), ("crsnt", "cres"), ("crssing", "xing"), ("crssng", "xing"), ("crst", "crst"), ("crt", "ct"),
    ("cswy", "cswy"), ("ct", "ct"), ("ctr", "ctr"), ("ctrs", "ctrs"), ("cts", "cts"), ("curv", "curv"),
    ("curve", "curv"), ("cv", "cv"), ("cvs", "cvs"), ("cyn", "cyn"), ("dale", "dl"), ("dam", "dm"), ("div", "dv"),
    ("divide", "dv"), ("dl", "dl"), ("dm", "dm"), ("dr", "dr"), ("driv", "dr"), ("drive", "dr"), ("drives", "drs"),
    ("drs", "drs"), ("drv", "dr"), ("dv", "dv"), ("dvd", "dv"), ("est", "est"), ("estate", "est"),
    ("estates", "ests"), ("ests", "ests"), ("exp", "expy"), ("expr", "expy"), ("express", "expy"),
    ("expressway", "expy"), ("expw", "expy"), ("expy", "expy"), ("ext", "ext"), ("extension", "ext"),
    ("extensions", "exts"), ("extn", "ext"), ("extnsn", "ext"), ("exts", "exts"), ("fall", "fall"), ("falls", "fls"),
    ("ferry", "fry"), ("field", "fld"), ("fields", "flds"), ("flat", "flt"), ("flats", "flts"), ("fld", "fld"),
    ("flds", "flds"), ("fls", "fls"), ("flt", "flt"), ("flts", "flts"), ("ford", "frd"), ("fords", "frds"),
    ("forest", "frst"), ("forests", "frst"), ("forg", "frg"), ("forge", "frg"), ("forges", "frgs"), ("fork", "frk"),
    ("forks", "frks"), ("fort", "ft"), ("frd", "frd"), ("frds", "frds"), ("freeway", "fwy"), ("freewy", "fwy"),
    ("frg", "frg"), ("frgs", "frgs"), ("frk", "frk"), ("frks", "frks"), ("frry", "fry"), ("frst", "frst"),
    ("frt", "ft"), ("frway", "fwy"), ("frwy", "fwy"), ("fry", "fry"), ("ft", "ft"), ("fwy", "fwy"), ("garden", "gdn"),
    ("gardens", "gdns"), ("gardn", "gdn"), ("gateway", "gtwy"), ("gatewy", "gtwy"), ("gatway", "gtwy"),
    ("gdn", "gdn"), ("gdns", "gdns"), ("glen", "gln"), ("glens", "glns"), ("gln", "gln"), ("glns", "glns"),
    ("grden", "gdn"), ("grdn", "gdn"), ("grdns", "gdns"), ("green", "grn"), ("greens", "grns"), ("grn", "grn"),
    ("grns", "grns"), ("grov", "grv"), ("grove", "grv"), ("groves", "grvs"), ("grv", "grv"), ("grvs", "grvs"),
    ("gtway", "gtwy"), ("gtwy", "gtwy"), ("harb", "hbr"), ("harbor", "hbr"), ("harbors", "hbrs"), ("harbr", "hbr"),
    ("haven", "hvn"), ("havn", "hvn"), ("hbr", "hbr"), ("hbrs", "hbrs"), ("height", "hts"), ("heights", "hts"),
    ("hgts", "hts"), ("highway", "hwy"), ("highwy", "hwy"), ("hill", "hl"), ("hills", "hls"), ("hiway", "hwy"),
    ("hiwy", "hwy"), ("hl", "hl"), ("hllw", "holw"), ("hls", "hls"), ("hollow", "holw"), ("hollows", "holw"),
    ("holw", "holw"), ("holws", "holw"), ("hrbor", "hbr"), ("ht", "hts"), ("hts", "hts"), ("hvn", "hvn"),
    ("hway", "hwy"), ("hwy", "hwy"), ("inlet", "inlt"), ("inlt", "inlt"), ("is", "is"), ("island", "is"),
    ("islands", "iss"), ("isle", "isle"), ("isles", "isle"), ("islnd", "is"), ("islnds", "iss"), ("iss", "iss"),
    ("jct", "jct"), ("jction", "jct"), ("jctn", "jct"), ("jctns", "jcts"), ("jcts", "jcts"), ("junction", "jct"),
    ("junctions", "jcts"), ("junctn", "jct"), ("juncton", "jct"), ("key", "ky"), ("keys", "kys"), ("knl", "knl"),
    ("knls", "knls"), ("knol", "knl"), ("knoll", "knl"), ("knolls", "knls"), ("ky", "ky"), ("kys", "kys"),
    ("lake", "lk"), ("lakes", "lks"), ("land", "land"), ("landing", "lndg"), ("lane", "ln"), ("lanes", "ln"),
    ("lck", "lck"), ("lcks", "lcks"), ("ldg", "ldg"), ("ldge", "ldg"), ("lf", "lf"), ("lgt", "lgt"), ("lgts", "lgts"),
    ("light", "lgt"), ("lights", "lgts"), ("lk", "lk"), ("lks", "lks"), ("ln", "ln"), ("lndg", "lndg"),
    ("lndng", "lndg"), ("loaf", "lf"), ("lock", "lck"), ("locks", "lcks"), ("lodg", "ldg"), ("lodge", "ldg"),
    ("loop", "loop"), ("loops", "loop"), ("mall", "mall"), ("manor", "mnr"), ("manors", "mnrs"), ("mdw", "mdw"),
    ("mdws", "mdws"), ("meadow", "mdw"), ("meadows", "mdws"), ("medows", "mdws"), ("mews", "mews"), ("mill", "ml"),
    ("mills", "mls"), ("mission", "msn"), ("missn", "msn"), ("ml", "ml"), ("mls", "mls"), ("mnr", "mnr"),
    ("mnrs", "mnrs"), ("mnt", "mt"), ("mntain", "mtn"), ("mntn", "mtn"), ("mntns", "mtns"), ("motorway", "mtwy"),
    ("mount", "mt"), ("mountain", "mtn"), ("mountains", "mtns"), ("mountin", "mtn"), ("msn", "msn"), ("mssn", "msn"),
    ("mt", "mt"), ("mtin", "mtn"), ("mtn", "mtn"), ("mtns", "mtns"), ("mtwy", "mtwy"), ("nck", "nck"),
    ("neck", "nck"), ("opas", "opas"), ("orch", "orch"), ("orchard", "orch"), ("orchrd", "orch"), ("oval", "oval"),
    ("overpass", "opas"), ("ovl", "oval"), ("park", "park"), ("parks", "park"), ("parkway", "pkwy"),
    ("parkways", "pkwy"), ("parkwy", "pkwy"), ("pass", "pass"), ("passage", "psge"), ("path", "path"),
    ("paths", "path"), ("pike", "pike"), ("pikes", "pike"), ("pine", "pne"), ("pines", "pnes"), ("pkway", "pkwy"),
    ("pkwy", "pkwy"), ("pkwys", "pkwy"), ("pky", "pkwy"), ("pl", "pl"), ("place", "pl"), ("plain", "pln"),
    ("plaines", "plns"), ("plains", "plns"), ("plaza", "plz"), ("pln", "pln"), ("plns", "plns"), ("plz", "plz"),
    ("plza", "plz"), ("pne", "pne"), ("pnes", "pnes"), ("point", "pt"), ("points", "pts"), ("port", "prt"),
    ("ports", "prts"), ("pr", "pr"), ("prairie", "pr"), ("prarie", "pr"), ("prk", "park"), ("prr", "pr"),
    ("prt", "prt"), ("prts", "prts"), ("psge", "psge"), ("pt", "pt"), ("pts", "pts"), ("rad", "radl"),
    ("radial", "radl"), ("radiel", "radl"), ("radl", "radl"), ("ramp", "ramp"), ("ranch", "rnch"),
    ("ranches", "rnch"), ("rapid", "rpd"), ("rapids", "rpds"), ("rd", "rd"), ("rdg", "rdg"), ("rdge", "rdg"),
    ("rdgs", "rdgs"), ("rds", "rds"), ("rest", "rst"), ("ridge", "rdg"), ("ridges", "rdgs"), ("riv", "riv"),
    ("river", "riv"), ("rivr", "riv"), ("rnch", "rnch"), ("rnchs", "rnch"), ("road", "rd"), ("roads", "rds"),
    ("route", "rte"), ("row", "row"), ("rpd", "rpd"), ("rpds", "rpds"), ("rst", "rst"), ("rte", "rte"),
    ("rue", "rue"), ("run", "run"), ("rvr", "riv"), ("shl", "shl"), ("shls", "shls"), ("shoal", "shl"),
    ("shoals", "shls"), ("shoar", "shr"), ("shoars", "shrs"), ("shore", "shr"), ("shores", "shrs"), ("shr", "shr"),
    ("shrs", "shrs"), ("skwy", "skwy"), ("skyway", "skwy"), ("smt", "smt"), ("spg", "spg"), ("spgs", "spgs"),
    ("spng", "spg"), ("spngs", "spgs"), ("spring", "spg"), ("springs", "spgs"), ("sprng", "spg"), ("sprngs", "spgs"),
    ("spur", "spur"), ("spurs", "spur"), ("sq", "sq"), ("sqr", "sq"), ("sqre", "sq"), ("sqrs", "sqs"), ("sqs", "sqs"),
    ("squ", "sq"), ("square", "sq"), ("squares", "sqs"), ("st", "st"), ("sta", "sta"), ("station", "sta"),
    ("statn", "sta"), ("stn", "sta"), ("str", "st"), ("stra", "stra"), ("strav", "stra"), ("strave", "stra"),
    ("straven", "stra"), ("stravenue", "stra"), ("stravn", "stra"), ("stream", "strm"), ("street", "st"),
    ("streets", "sts"), ("streme", "strm"), ("strm", "strm"), ("strt", "st"), ("strvn", "stra"), ("strvnue", "stra"),
    ("sts", "sts"), ("sumit", "smt"), ("sumitt", "smt"), ("summit", "smt"), ("ter", "ter"), ("terr", "ter"),
    ("terrace", "ter"), ("throughway", "trwy"), ("tpk", "tpke"), ("tpke", "tpke"), ("trace", "trce"),
    ("traces", "trce"), ("track", "trak"), ("tracks", "trak"), ("trafficway", "trfy"), ("trail", "trl"),
    ("trailer", "trlr"), ("trails", "trl"), ("trak", "trak"), ("trce", "trce"), ("trfy", "trfy"), ("trk", "trak"),
    ("trks", "trak"), ("trl", "trl"), ("trlr", "trlr"), ("trlrs", "trlr"), ("trls", "trl"), ("trnpk", "tpke"),
    ("trpk", "tpke"), ("trwy", "trwy"), ("tunel", "tunl"), ("tunl", "tunl"), ("tunls", "tunl"), ("tunnel", "tunl"),
    ("tunnels", "tunl"), ("tunnl", "tunl"), ("turnpike", "tpke"), ("turnpk", "tpke"), ("un", "un"),
    ("underpass", "upas"), ("union", "un"), ("unions", "uns"), ("uns", "uns"), ("upas", "upas"), ("valley", "vly"),
    ("valleys", "vlys"), ("vally", "vly"), ("vdct", "via"), ("via", "via"), ("viadct", "via"), ("viaduct", "via"),
    ("view", "vw"), ("views", "vws"), ("vill", "vlg"), ("villag", "vlg"), ("village", "vlg"), ("villages", "vlgs"),
    ("ville", "vl"), ("villg", "vlg"), ("villiage", "vlg"), ("vis", "vis"), ("vist", "vis"), ("vista", "vis"),
    ("vl", "vl"), ("vlg", "vlg"), ("vlgs", "vlgs"), ("vlly", "vly"), ("vly", "vly"), ("vlys", "vlys"), ("vst", "vis"),
    ("vsta", "vis"), ("vw", "vw"), ("vws", "vws"), ("walk", "walk"), ("walks", "walk"), ("wall", "wall"),
    ("way", "way"), ("ways", "ways"), ("well", "wl"), ("wells", "wls"), ("wl", "wl"), ("wls", "wls"), ("wy", "way"),
    ("xing", "xing"), ("xrd", "xrd"), ("xrds", "xrds"),
]);

#[cfg(test)]
mod tests {
    use super::{super::fold_street, *};

    #[test]
    fn the_table_is_the_published_one() {
        let published: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/data/usps/street_suffixes.json")).unwrap();
        let forms = published["recommended_forms_for_match_key"].as_array().unwrap();
        assert_eq!(forms.len(), SUFFIXES.words().count());
        for form in forms.iter().map(|form| form.as_str().unwrap()) {
            let expected = published["forms"][form]["standard"].as_str().unwrap().to_lowercase();
            assert_eq!(standard(Word::of(form.to_lowercase().as_bytes())), Some(expected.as_str()), "{form}");
        }
    }

    #[test]
    fn spellings_with_another_meaning_are_left_alone() {
        for word in ["ck", "cr", "la", "pk", "tr", "main", ""] {
            assert_eq!(standard(Word::of(word.as_bytes())), None, "{word}");
        }
    }

    #[test]
    fn every_spelling_at_the_end_of_a_street_becomes_its_standard() {
        for (spelling, standard) in SUFFIXES.words() {
            for name in ["Sycamore", "Key West", "N"] {
                let address = format!("12 {name} {}.", spelling.to_uppercase());
                assert_eq!(fold_street(&address), format!("12 {} {standard}", name.to_lowercase()), "{address}");
            }
        }
    }
}
