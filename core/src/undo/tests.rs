//! Tests of the undo of one change.

use super::*;

const CLIENT: Uuid = Uuid::from_u128(7);

fn fields(phone: &str, city: &str) -> ClientFields {
    ClientFields {
        last_name: Some("Ray".into()),
        phone: Some(phone.into()),
        city: Some(city.into()),
        ..ClientFields::default()
    }
}

/// The undo of the change at 2 of a client with these states, the first one first, one each microsecond from 1 on.
fn undo(states: &[ClientFields], is_kept_from_the_first: bool) -> Undo {
    let at = |number: usize| Timestamp::from_micros(i64::try_from(number).unwrap() + 1);
    let states = states.iter().enumerate().rev().map(|(number, fields)| TouchedState {
        at: at(number),
        is_of_import: false,
        is_first: number == 0 && is_kept_from_the_first,
        holder: None,
        fields: fields.clone(),
    });
    let states: Vec<_> = states.collect();
    let now = Client { id: CLIENT, fields: states[0].fields.clone(), created_at: at(0), updated_at: states[0].at };
    Undo::of(at(1), vec![Touched { now, states }], Vec::new())
}

fn left(undo: &Undo) -> Vec<(Option<Field>, LeftReason)> {
    undo.left.iter().map(|left| (left.field, left.reason)).collect()
}

#[test]
fn fields_go_back_one_by_one_unless_a_later_change_wrote_them() {
    let [old, new] = [fields("1", "Peoria"), fields("2", "Joliet")];
    let whole = undo(&[old.clone(), new.clone()], true);
    assert_eq!((&whole.updated[0].after, whole.left.len()), (&old, 0));
    let later = undo(&[old.clone(), new.clone(), fields("2", "Aurora")], true);
    assert_eq!(later.updated[0].after, fields("1", "Aurora"));
    assert_eq!(left(&later), [(Some(Field::City), LeftReason::ChangedSince)]);
    // A later change that was itself taken back wrote the field all the same.
    let twice = undo(&[old, new.clone(), fields("2", "Aurora"), new], true);
    assert_eq!(twice.updated[0].after, fields("1", "Joliet"));
    assert_eq!(left(&twice), [(Some(Field::City), LeftReason::ChangedSince)]);
}

#[test]
fn a_field_that_has_its_earlier_value_again_is_no_longer_left() {
    let [old, new] = [fields("1", "Peoria"), fields("2", "Joliet")];
    assert_eq!(undo(&[old.clone(), new.clone(), old], true), Undo::default());
    let other = undo(&[fields("1", "Peoria"), new, fields("3", "Peoria")], true);
    assert_eq!(left(&other), [(Some(Field::Phone), LeftReason::ChangedSince)]);
}

#[test]
fn batches_of_one_import_are_undone_as_one_change() {
    let at = |number: i64| Timestamp::from_micros(number);
    // `Some(number)`: a batch of the import; `None`: somebody else.
    let undo = |at_hand: i64, states: &[(bool, ClientFields)]| {
        let states =
            states.iter().zip(1..).collect::<Vec<_>>().into_iter().rev().map(|((is_of_import, fields), number)| {
                TouchedState {
                    at: at(number),
                    is_of_import: *is_of_import,
                    is_first: number == 1,
                    holder: None,
                    fields: fields.clone(),
                }
            });
        let states: Vec<_> = states.collect();
        let fields = states[0].fields.clone();
        let now = Client { id: CLIENT, fields, created_at: at(1), updated_at: states[0].at };
        Undo::of(at(at_hand), vec![Touched { now, states }], Vec::new())
    };
    let [one, two, three] = [fields("1", "Peoria"), fields("2", "Joliet"), fields("3", "Joliet")];
    // Both batches go back with the later one; the earlier one has nothing left to do.
    let states = [(false, one.clone()), (true, two.clone()), (true, three.clone())];
    assert_eq!(undo(3, &states).updated[0].after, one);
    assert_eq!(undo(2, &states), Undo::default());
    // Somebody else came between: only what came after goes back.
    let states = [(false, one.clone()), (true, two.clone()), (false, three), (true, fields("4", "Joliet"))];
    let between = undo(4, &states);
    assert_eq!(between.updated[0].after, fields("3", "Peoria"));
    assert_eq!(between.left, []);
    // A client that the import created goes with the last batch that touched it.
    let states = [(true, one), (true, two)];
    assert_eq!(undo(2, &states).removed.len(), 1);
    assert_eq!(undo(1, &states), Undo::default());
}

#[test]
fn letters_stay_off_and_settlements_stay() {
    let old = fields("1", "Peoria");
    let new = ClientFields { do_not_mail: true, settled_on: "2026-01-05".parse().ok(), ..old.clone() };
    let off = undo(&[old.clone(), new.clone()], true);
    assert!(off.is_empty());
    let expected = [(Some(Field::SettledOn), LeftReason::Settlement), (Some(Field::DoNotMail), LeftReason::DoNotMail)];
    assert_eq!(left(&off), expected);
    let on = undo(&[ClientFields { do_not_mail: true, ..old.clone() }, old], true);
    assert!(on.updated[0].after.do_not_mail, "letters that were turned on are off again");
}

#[test]
fn a_new_client_is_removed_unless_something_was_done_to_it() {
    let at = Timestamp::from_micros(1);
    let client =
        |fields: &ClientFields, updated_at| Client { id: CLIENT, fields: fields.clone(), created_at: at, updated_at };
    let state = |fields: &ClientFields, at: Timestamp, is_first| TouchedState {
        at,
        is_of_import: false,
        is_first,
        holder: None,
        fields: fields.clone(),
    };
    let old = fields("1", "Peoria");
    let touched = Touched { now: client(&old, at), states: vec![state(&old, at, true)] };
    assert_eq!(Undo::of(at, vec![touched], Vec::new()).removed, [client(&old, at)]);
    let new = fields("2", "Peoria");
    let states = vec![state(&new, at.next(), false), state(&old, at, true)];
    let changed = Undo::of(at, vec![Touched { now: client(&new, at.next()), states }], Vec::new());
    assert_eq!(left(&changed), [(None, LeftReason::ChangedSince)]);
    let settled = ClientFields { settled_on: "2026-01-05".parse().ok(), ..old };
    let touched = Touched { now: client(&settled, at), states: vec![state(&settled, at, true)] };
    assert_eq!(left(&Undo::of(at, vec![touched], Vec::new())), [(None, LeftReason::Settlement)]);
}

#[test]
fn an_external_id_that_another_client_has_now_is_not_given_back() {
    let at = Timestamp::from_micros(1);
    let fields = ClientFields { external_id: Some("7".into()), ..fields("1", "Peoria") };
    let client = Client { id: CLIENT, fields, created_at: at, updated_at: at };
    let removed = |holder, is_sent_again| vec![Removed { client: client.clone(), holder, is_sent_again }];
    assert_eq!(Undo::of(at, Vec::new(), removed(None, false)).restored, std::slice::from_ref(&client));
    let taken = Undo::of(at, Vec::new(), removed(Some(Uuid::nil()), false));
    assert_eq!(left(&taken), [(None, LeftReason::ExternalIdTaken)]);
    assert_eq!(left(&Undo::of(at, Vec::new(), removed(None, true))), [(None, LeftReason::SentAgain)]);
}

#[test]
fn a_state_that_is_no_longer_kept_is_not_guessed() {
    let at = Timestamp::from_micros(2);
    let fields = fields("1", "Peoria");
    let now = Client { id: CLIENT, fields: fields.clone(), created_at: Timestamp::default(), updated_at: at };
    let states = vec![TouchedState { at, is_of_import: false, is_first: false, holder: None, fields }];
    assert_eq!(left(&Undo::of(at, vec![Touched { now, states }], Vec::new())), [(None, LeftReason::NotKept)]);
}
