//! S41: pairs of clients of which one has an address that the other had before.

use matterbook_core::{
    client::ClientFields,
    similar::{COMPARED_MAX, Comparison, Nicknames, SimilarReason, compare},
    store::{ClientPair, OperatorAnswer, OperatorCommand, SimilarDecision},
    time::Timestamp,
};

use super::{
    AnyStore, CaseResult, Failure, ensure_eq,
    scene::{Firm, Scene, unexpected},
    similar::{OPEN, decide, ids_of, page, pairs},
    values::{at, person},
};

/// Ada Number at an address: street and ZIP.
fn at_address(external_id: &str, street: &str, zip: &str) -> ClientFields {
    ClientFields {
        external_id: Some(external_id.into()),
        address_line1: Some(street.into()),
        zip: Some(zip.into()),
        ..person("")
    }
}

async fn moves(scene: &Scene<'_>, firm: &Firm, now: Timestamp, external_id: &str, to: [&'static str; 2]) -> CaseResult {
    let [street, zip] = to;
    let edit = move |fields: &mut ClientFields| {
        (fields.address_line1, fields.zip) = (Some(street.into()), Some(zip.into()));
    };
    scene.update(firm, now, external_id, edit).await
}

/// The pairs by former addresses that a comparison begins with.
async fn moved(scene: &Scene<'_>, firm: &Firm) -> CaseResult<Vec<ClientPair>> {
    let command = OperatorCommand::StartComparison { account: firm.account };
    match scene.operate(at(500), "similar.find", command).await? {
        OperatorAnswer::ComparisonStart(start) => Ok(start.moved),
        other => Err(unexpected("what a comparison begins with", &other)),
    }
}

/// A client at the former address of another one with the same name is found, in either order.
pub(super) async fn s41_client_at_a_former_address_is_found(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let (firm, other) = (scene.firm().await?, scene.firm().await?);
    let [oak, elm, ash] = [["1 Oak St", "62704"], ["2 Elm St", "02134"], ["3 Ash St", "10001"]];
    let people = [at_address("1", oak[0], oak[1]), person("2")];
    let ids = scene.create(&firm, at(0), &people).await?;
    ensure_eq!(moved(&scene, &firm).await?, [], "before a move");
    moves(&scene, &firm, at(10), "1", elm).await?;
    ensure_eq!(moved(&scene, &firm).await?, [], "where no other client lives at a former address");
    scene.create(&other, at(15), &[at_address("3", oak[0], oak[1])]).await?;
    ensure_eq!(moved(&scene, &firm).await?, [], "where a client of another account lives there");
    let unnumbered = ClientFields { external_id: None, ..at_address("", oak[0], oak[1]) };
    let resident = scene.create(&firm, at(20), &[unnumbered]).await?[0];
    let namesake = ClientPair::of(ids[0], resident);
    ensure_eq!(moved(&scene, &firm).await?, [namesake], "where a namesake lives at the former address");
    moves(&scene, &firm, at(30), "1", ash).await?;
    ensure_eq!(moved(&scene, &firm).await?, [namesake], "after a second move");
    scene.update(&firm, at(40), "1", |fields| fields.phone = Some("+12175550134".into())).await?;
    let later = scene.create(&firm, at(50), &[at_address("4", elm[0], elm[1])]).await?[0];
    let mut both = vec![namesake, ClientPair::of(ids[0], later)];
    both.sort_unstable();
    ensure_eq!(moved(&scene, &firm).await?, both, "where one lives at each of two former addresses");
    moves(&scene, &firm, at(60), "1", oak).await?;
    both.retain(|pair| *pair != namesake);
    ensure_eq!(moved(&scene, &firm).await?, both, "after it moved back to the first");
    let command = OperatorCommand::EraseClient { account: firm.account, client: ids[0] };
    scene.operate(at(70), "client.erase", command).await?;
    ensure_eq!(moved(&scene, &firm).await?, [], "after the one that moved was erased");
    Ok(())
}

/// Another name or another unit is another person; a missing unit and another spelling tell nothing.
pub(super) async fn s41_former_address_has_the_name_and_the_unit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let named = |external_id: &str, first_name: &str, street: &str| ClientFields {
        first_name: Some(first_name.into()),
        ..at_address(external_id, street, "62704")
    };
    let homes =
        [named("1", "Ada", "1 Oak St Apt 4"), named("2", "Bea", "1 Oak Street"), named("3", "Cleo", "5 Oak St")];
    let ids = scene.create(&firm, at(0), &homes).await?;
    // One spelling of an address for another is no move.
    moves(&scene, &firm, at(10), "3", ["5 Oak Street", "62704-1234"]).await?;
    let new = ["9 Elm St", "02134"];
    moves(&scene, &firm, at(20), "1", new).await?;
    moves(&scene, &firm, at(21), "2", new).await?;
    let residents = [
        named("4", "Ada", "1 Oak St Apt 5"),
        named("5", "Ada", "1 Oak St #4"),
        named("6", "Ada", "1 Oak St"),
        named("7", "Bea", "1 Oak St Apt 7"),
        named("8", "Dora", "1 Oak St"),
        named("9", "Cleo", "5 Oak St"),
        ClientFields { zip: Some("62705".into()), ..named("10", "Bea", "1 Oak St") },
        ClientFields { address_line2: Some("Apt 4".into()), ..named("11", "Ada", "1 Oak St") },
    ];
    let there = scene.create(&firm, at(30), &residents).await?;
    let pairs = [(0, 1), (0, 2), (1, 3), (0, 7)].map(|(mover, resident)| ClientPair::of(ids[mover], there[resident]));
    let mut expected = pairs.to_vec();
    expected.sort_unstable();
    ensure_eq!(moved(&scene, &firm).await?, expected, "pairs by former addresses");
    Ok(())
}

/// A unit that is added is no move, another unit of the house is one.
pub(super) async fn s41_move_within_a_house_is_one_to_another_unit(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let homes = [at_address("1", "1 Oak St", "62704"), at_address("2", "1 Oak St Apt 2", "62704")];
    let ids = scene.create(&firm, at(0), &homes).await?;
    moves(&scene, &firm, at(10), "1", ["1 Oak St Apt 4", "62704"]).await?;
    ensure_eq!(moved(&scene, &firm).await?, [], "after a unit was added");
    moves(&scene, &firm, at(20), "1", ["1 Oak St Apt 5", "62704"]).await?;
    let there = scene.create(&firm, at(30), &[at_address("3", "1 Oak St #4", "62704")]).await?[0];
    ensure_eq!(moved(&scene, &firm).await?, [ClientPair::of(ids[0], there)], "after a move to another unit");
    Ok(())
}

/// The names are those of now: a client that got another one since is found by it, and not by that of before.
pub(super) async fn s41_former_address_is_found_by_the_present_name(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let ids = scene.create(&firm, at(0), &[at_address("1", "1 Oak St", "62704")]).await?;
    moves(&scene, &firm, at(10), "1", ["2 Elm St", "02134"]).await?;
    scene.update(&firm, at(20), "1", |fields| fields.first_name = Some("Bea".into())).await?;
    let bea = ClientFields { first_name: Some("Bea".into()), ..at_address("3", "1 Oak St", "62704") };
    let there = scene.create(&firm, at(30), &[at_address("2", "1 Oak St", "62704"), bea]).await?;
    ensure_eq!(moved(&scene, &firm).await?, [ClientPair::of(ids[0], there[1])], "pairs by former addresses");
    Ok(())
}

/// Of many clients at one former address the oldest are compared, some without an external id and some with one.
pub(super) async fn s41_of_many_at_a_former_address_the_oldest_are_compared(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let oak = |external_id: &str| at_address(external_id, "1 Oak St", "62704");
    let ids = scene.create(&firm, at(0), &[oak("1")]).await?;
    moves(&scene, &firm, at(10), "1", ["2 Elm St", "02134"]).await?;
    let mut expected = Vec::new();
    for number in 0..COMPARED_MAX + 2 {
        let two = [oak(&format!("r{number}")), ClientFields { external_id: None, ..oak("") }];
        let there = scene.create(&firm, at(20 + i64::try_from(number).unwrap_or_default()), &two).await?;
        let pairs = there.iter().map(|resident| ClientPair::of(ids[0], *resident));
        expected.extend(pairs.filter(|_| number < COMPARED_MAX));
    }
    expected.sort_unstable();
    ensure_eq!(moved(&scene, &firm).await?, expected, "pairs by former addresses");
    Ok(())
}

/// A comparison names a former address, after what the clients have in common now, and not what was decided.
pub(super) async fn s41_comparison_names_former_addresses(store: AnyStore<'_>) -> CaseResult {
    let scene = Scene::on(store);
    let firm = scene.firm().await?;
    let with_email = |fields| ClientFields { email: Some("ada@example.com".into()), ..fields };
    let oak = |external_id: &str| at_address(external_id, "1 Oak St", "62704");
    let ids = scene.create(&firm, at(0), &[with_email(oak("1"))]).await?;
    moves(&scene, &firm, at(10), "1", ["2 Elm St", "02134"]).await?;
    let there = scene.create(&firm, at(20), &[with_email(oak("2")), oak("3")]).await?;
    let comparison = Comparison { nicknames: Nicknames::default(), clients_max: 100 };
    compare(&scene.store, firm.account, &comparison, at(30)).await.map_err(|error| Failure(error.to_string()))?;
    let shown = page(&scene, &firm, OPEN, None, 10).await?;
    let reasons: Vec<_> = shown.pairs.iter().map(|pair| pair.reasons.as_slice()).collect();
    let by_email = [SimilarReason::SameEmail, SimilarReason::FormerAddress];
    ensure_eq!(reasons, [&by_email[..], &[SimilarReason::FormerAddress]], "the reasons");
    let expected = there.iter().map(|resident| ClientPair::of(ids[0], *resident)).collect::<Vec<_>>();
    ensure_eq!(ids_of(&shown), expected, "the pairs");
    decide(&scene, &firm, at(40), expected[1], Some(SimilarDecision::Different)).await?;
    compare(&scene.store, firm.account, &comparison, at(50)).await.map_err(|error| Failure(error.to_string()))?;
    ensure_eq!(pairs(&scene, &firm, OPEN).await?, expected[..1], "undecided pairs after a decision");
    Ok(())
}
