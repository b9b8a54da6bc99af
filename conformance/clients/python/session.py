"""A day of an integrator, by the generated client: every kind of answer comes as the type that the document says."""

import os
from collections.abc import Callable, Iterator
from typing import TypeVar
from uuid import UUID

from matterbook_api import AuthenticatedClient
from matterbook_api.api.account import check_key
from matterbook_api.api.clients import list_clients, settle_case, upsert_clients
from matterbook_api.api.prospects import list_prospects
from matterbook_api.models import (
    Client,
    ClientBatch,
    ClientInput,
    ClientPage,
    ConflictBody,
    ErrorBody,
    ErrorCode,
    ListProspectsOrder,
    Me,
    PersonType,
    Prospect,
    ProspectPage,
    SettledCase,
    StateCode,
    UpsertedCase,
    UpsertResult,
    UpsertResults,
    UpsertStatus,
)
from matterbook_api.types import UNSET, Unset

URL = os.environ["MATTERBOOK_URL"]

MESSY = [
    ClientInput(external_id=1001, first_name=" Ana ", last_name="Specimenez", address_line1="12 North Main Street",
                state="illinois", zip_="62704.0", phone="(217) 555-0134 ext. 9", opened_on="Jan 5, 2026"),
    ClientInput(first_name="ANA", last_name="Specimenez", address_line1="12 N. Main St.", zip_=62704),
    ClientInput(first_name="Bob", last_name="Sampleton", address_line1="5 Demo Ave", state="Mass.", zip_=2134,
                do_not_mail="yes"),
    ClientInput(external_id="M-9", first_name="Ana", last_name="Specimenez", address_line1="12 N Main St", zip_=62704),
    ClientInput(first_name="Carl", last_name="Demowitz", state="Narnia", zip_="123"),
]  # fmt: skip


def main() -> None:
    client = client_of(os.environ["MATTERBOOK_KEY"])
    the_key_is_checked(client)
    an_unknown_key_is_refused()
    results = a_messy_batch_is_posted(client)
    all_clients_are_read(client, results)
    cases_are_settled(client, results[0].id)
    prospects_are_read(client)
    a_bad_parameter_is_refused(client)
    too_many_requests_are_refused(client_of(os.environ["FLOOD_KEY"]))


def client_of(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=URL, token=key, raise_on_unexpected_status=True, timeout=None)


def the_key_is_checked(client: AuthenticatedClient) -> None:
    me = check_key.sync(client=client)
    assert isinstance(me, Me), me
    assert isinstance(me.account.id, UUID)
    assert me.account.email == "owner@firm.example"


def an_unknown_key_is_refused() -> None:
    answer = check_key.sync_detailed(client=client_of(f"mtb_{'x' * 43}"))
    assert answer.status_code == 401
    assert isinstance(answer.parsed, ErrorBody)
    assert answer.parsed.error.code is ErrorCode.UNAUTHORIZED
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def a_messy_batch_is_posted(client: AuthenticatedClient) -> list[UpsertResult]:
    answer = upsert_clients.sync(client=client, body=ClientBatch(clients=MESSY), idempotency_key="first-batch")
    assert isinstance(answer, UpsertResults), answer
    results = answer.results
    assert [result.status for result in results] == [
        UpsertStatus.CREATED,
        UpsertStatus.UPDATED,
        UpsertStatus.CREATED,
        UpsertStatus.CONFLICT,
        UpsertStatus.ERROR,
    ]
    assert [result.index for result in results] == list(range(5))
    assert isinstance(results[0].id, UUID) and results[0].id == results[1].id
    assert results[3].id is UNSET and isinstance(results[3].message, str) and "1001" in results[3].message
    assert isinstance(results[4].message, str) and "leading zeros may have been lost" in results[4].message

    again = upsert_clients.sync_detailed(
        client=client, body=ClientBatch(clients=MESSY), idempotency_key="first-batch"
    )
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.parsed == answer
    return results


def all_clients_are_read(client: AuthenticatedClient, results: list[UpsertResult]) -> None:
    more = [ClientInput(external_id=f"N-{number}", last_name=f"Sample {number}") for number in range(3)]
    assert isinstance(upsert_clients.sync(client=client, body=ClientBatch(clients=more)), UpsertResults)

    def page(cursor: str | Unset) -> tuple[list[Client], str | None]:
        answer = list_clients.sync(client=client, limit=2, cursor=cursor)
        assert isinstance(answer, ClientPage), answer
        return answer.clients, answer.next_cursor

    clients = {known.id: known for known in walk(page)}
    assert len(clients) == 5, clients
    ana = clients[the_id(results[0])]
    assert (ana.external_id, ana.zip_, ana.state) == ("1001", "62704", StateCode.IL)
    assert ana.phone == "+12175550134"
    assert ana.opened_on is not None and ana.opened_on.isoformat() == "2026-01-05"
    bob = clients[the_id(results[2])]
    assert (bob.zip_, bob.state, bob.do_not_mail, bob.settled_on) == ("02134", StateCode.MA, True, None)

    since = max(known.updated_at for known in clients.values())
    latest = list_clients.sync(client=client, updated_since=since)
    assert isinstance(latest, ClientPage)
    assert {known.external_id for known in latest.clients} == {"N-0", "N-1", "N-2"}


def cases_are_settled(client: AuthenticatedClient, ana: UUID | Unset) -> None:
    settled = settle_case.sync(client=client, body=SettledCase(external_id=1001, settled_on="2/27/2026"))
    assert isinstance(settled, UpsertedCase), settled
    assert settled.result.status is UpsertStatus.UPDATED and settled.result.id == ana

    unknown = settle_case.sync_detailed(client=client, body=SettledCase(external_id="M-404", settled_on="2026-02-27"))
    assert unknown.status_code == 404 and isinstance(unknown.parsed, ErrorBody)
    assert unknown.parsed.error.code is ErrorCode.NOT_FOUND

    taken = SettledCase(external_id="M-9", first_name="Ana", last_name="Specimenez", address_line1="12 N Main St",
                        zip_=62704, settled_on="2026-02-27")  # fmt: skip
    conflict = settle_case.sync_detailed(client=client, body=taken)
    assert conflict.status_code == 409 and isinstance(conflict.parsed, ConflictBody)
    assert conflict.parsed.error.code is ErrorCode.CONFLICT
    assert conflict.parsed.result.status is UpsertStatus.CONFLICT and conflict.parsed.result.index == 0


def prospects_are_read(client: AuthenticatedClient) -> None:
    def page(cursor: str | Unset) -> tuple[list[Prospect], str | None]:
        answer = list_prospects.sync(client=client, limit=2, cursor=cursor)
        assert isinstance(answer, ProspectPage), answer
        return answer.prospects, answer.next_cursor

    oldest = list(walk(page))
    assert len({prospect.id for prospect in oldest}) == 5
    assert {(prospect.lead_type, prospect.source) for prospect in oldest} == {("cold", "Matterbook")}
    assert {prospect.person_type for prospect in oldest} == {PersonType.DRIVER}

    newest = list_prospects.sync(client=client, order=ListProspectsOrder.NEWEST)
    assert isinstance(newest, ProspectPage) and newest.next_cursor is None
    assert {prospect.id for prospect in newest.prospects} == {prospect.id for prospect in oldest}


def a_bad_parameter_is_refused(client: AuthenticatedClient) -> None:
    answer = list_clients.sync_detailed(client=client, limit=101)
    assert answer.status_code == 400 and isinstance(answer.parsed, ErrorBody)
    assert answer.parsed.error.code is ErrorCode.INVALID_REQUEST
    assert answer.parsed.error.message == "limit must be a whole number from 1 to 100."


def too_many_requests_are_refused(client: AuthenticatedClient) -> None:
    with client as client:
        for admitted in range(200):
            answer = check_key.sync_detailed(client=client)
            if answer.status_code == 429:
                break
    assert isinstance(answer.parsed, ErrorBody) and answer.parsed.error.code is ErrorCode.RATE_LIMITED
    # A slow machine lets requests leave the minute while others come.
    assert admitted >= 120, admitted
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


Row = TypeVar("Row")


def walk(page: Callable[[str | Unset], tuple[list[Row], str | None]]) -> Iterator[Row]:
    """Every row of a listing, page by page, until the cursor is null."""
    cursor: str | Unset | None = UNSET
    while cursor is not None:
        rows, cursor = page(cursor)
        yield from rows


def the_id(result: UpsertResult) -> UUID:
    assert isinstance(result.id, UUID)
    return result.id


main()
