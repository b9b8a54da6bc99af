-- Ids that callers see are UUIDs, kept as 16 bytes. Times are microseconds since 1970-01-01T00:00:00Z.
-- Calendar dates are text, YYYY-MM-DD. Flags are 0 and 1.

create table accounts (
  -- One law firm. Other tables name it by this small number, which never leaves the database.
  id integer primary key,
  public_id blob not null unique,
  -- 48 bits, which each of its keys begins with: two for its jurisdiction, and random ones.
  number integer not null unique check (number between 0 and 281474976710655),
  email text not null,
  api_enabled integer not null,
  suspended integer not null,
  digital_bundle integer not null,
  contact_enrichment integer not null,
  created_at integer not null,
  -- Time of the account's last commit: the next one gets a later one. 0 before the first.
  last_commit_at integer not null default 0,
  -- Time of the last commit that erased a client; a decision that read before it is stale.
  last_erasure_at integer,
  -- Time of the last commit that gave or took an alias; a decision that read before it is stale.
  last_alias_at integer,
  -- When its clients were compared last, and the last commit that the comparison saw. Null before the first.
  compared_at integer,
  compared_until integer
) strict;
create index accounts_by_creation on accounts (created_at, public_id);

create table account_imports (
  -- The import of an account from another deployment. Until it has ended, the account stays suspended.
  account_id integer not null primary key references accounts (id),
  -- Of the whole export, 64 hexadecimal digits, and how many rows it has.
  digest text not null,
  row_count integer not null,
  -- The rows that are saved, and the digest up to them; empty while they are being discarded.
  received_rows integer not null,
  received_digest text not null,
  -- What the account becomes when it ends.
  is_suspended integer not null,
  -- Whether its keys are revoked.
  revokes_keys integer not null,
  ended_at integer
) strict, without rowid;

create table copied_changes (
  -- In the directory of accounts that have objects of their own: the number of the newest change of the account's object
  -- that is copied. Empty elsewhere.
  account_id integer not null primary key,
  number integer not null
) strict, without rowid;

create table logins (
  -- A person's login to an account.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'teammate', 'view_only')),
  created_at integer not null
) strict, without rowid;
create index logins_by_account on logins (account_id, created_at, id);

create table sign_in_links (
  -- The newest sign-in link of a login, until it is used. Of its token only the SHA-256 is kept.
  login_id blob not null primary key,
  digest text not null unique,
  expires_at integer not null
) strict, without rowid;

create table sessions (
  -- A session of a login in a browser. Of its token only the SHA-256 is kept, as 43 characters of base64url.
  digest text not null primary key,
  id blob not null,
  login_id blob not null,
  started_at integer not null,
  -- To ten minutes or so.
  used_at integer not null,
  -- It was open when the account was suspended, and opens nothing any more.
  is_suspended integer not null default 0
) strict, without rowid;
create index sessions_by_login on sessions (login_id, started_at, id);
create index sessions_by_use on sessions (used_at);

create table passkeys (
  -- A passkey of a login. Its state is what the library verifies assertions with.
  credential_id blob not null primary key,
  id blob not null unique,
  login_id blob not null,
  state blob not null,
  name text not null,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;
create index passkeys_by_login on passkeys (login_id, created_at, id);

create table api_keys (
  -- An API key. Of the key itself only its SHA-256 is kept, as 43 characters of base64url, and its end.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  login_id blob not null,
  digest text not null unique,
  last_four text not null,
  label text,
  -- What the key is limited to; null for everything.
  scope text check (scope in ('clients', 'prospects')),
  -- From when on the key is refused; null for a key without an end. It never changes.
  ends_at integer,
  created_at integer not null,
  -- To the day or so.
  last_used_at integer,
  revoked_at integer
) strict, without rowid;
create index api_keys_by_account on api_keys (account_id, created_at, id);
-- A key that was revoked is not in it, so looking for one is looking for a key that nobody ever had.
create unique index api_keys_live on api_keys (digest) where revoked_at is null;

create table key_secrets (
  -- The key secrets that keys were made with: a value that tells them apart and reveals nothing of them.
  check_value text not null primary key
) strict, without rowid;

create table county_grants (
  -- The account sees crashes in this county from this crash date on.
  account_id integer not null references accounts (id),
  county_fips text not null,
  from_date text not null,
  primary key (account_id, county_fips)
) strict, without rowid;

create table clients (
  -- A client as it is now.
  account_id integer not null,
  id blob not null,
  external_id text,
  first_name text,
  last_name text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  zip text,
  email text,
  phone text,
  case_type text,
  opened_on text,
  settled_on text,
  do_not_mail integer not null,
  created_at integer not null,
  -- The commit that changed it last; grows strictly from commit to commit within the account.
  updated_at integer not null,
  -- The request of that commit, and how it found the client: 1 by external_id, 2 by name, street and ZIP; 0 where it
  -- brought a removed client back.
  request_id blob,
  matched_by integer,
  -- period and updated_at of the state before this one, where client_states keeps it.
  previous_period integer,
  previous_updated_at integer,
  -- Hashes of the folded name, street and unit, and the first five digits of the ZIP: candidates for matching.
  name_hash integer,
  street_hash integer,
  -- Above 0 for the unit at the end of line 1, below 0 for that of line 2 where line 1 has none, 0 without one.
  unit_hash integer not null,
  zip5 integer,
  -- Equal for equal fields: a look need not read what the caller says just the same.
  fingerprint blob not null,
  primary key (account_id, id)
) strict, without rowid;
create unique index clients_by_external_id on clients (account_id, external_id) where external_id is not null;
-- A client is in one of the two, so a lookup can take so many from each.
create index clients_without_external_id on clients (account_id, name_hash, zip5, street_hash, created_at, id, unit_hash)
  where name_hash is not null and external_id is null;
create index clients_with_external_id on clients (account_id, name_hash, zip5, street_hash, created_at, id, unit_hash)
  where name_hash is not null and external_id is not null;
create index clients_by_update on clients (account_id, updated_at, id);

create table client_states (
  -- A client as it was from updated_at until superseded_at. The oldest are pruned, a few with each commit.
  account_id integer not null,
  -- superseded_at without its low bits. GET /clients shows states of two periods at most, each in its order.
  period integer not null,
  updated_at integer not null,
  id blob not null,
  superseded_at integer not null,
  request_id blob,
  matched_by integer,
  previous_period integer,
  previous_updated_at integer,
  external_id text,
  first_name text,
  last_name text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  zip text,
  email text,
  phone text,
  case_type text,
  opened_on text,
  settled_on text,
  do_not_mail integer not null,
  created_at integer not null,
  primary key (account_id, period, updated_at, id)
) strict, without rowid;
-- A change that names the state before it keeps that state.
create trigger clients_keep_states after update on clients when new.previous_updated_at is not null
begin
  insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by,
    previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone,
    case_type, opened_on, settled_on, do_not_mail,
    created_at)
  values (old.account_id, new.previous_period, old.updated_at, old.id, new.updated_at, old.request_id,
    old.matched_by, old.previous_period, old.previous_updated_at,
    old.external_id, old.first_name, old.last_name, old.address_line1, old.address_line2, old.city, old.state,
    old.zip, old.email, old.phone, old.case_type, old.opened_on, old.settled_on, old.do_not_mail, old.created_at);
end;

create table former_addresses (
  -- Where a client lived until a commit, as hashes of clients; kept as long as the state before that commit.
  account_id integer not null,
  client_id blob not null,
  superseded_at integer not null,
  street_hash integer not null,
  unit_hash integer not null,
  zip5 integer not null,
  primary key (account_id, client_id, superseded_at)
) strict, without rowid;
create trigger clients_keep_addresses after update of street_hash, unit_hash, zip5 on clients
-- A missing unit tells nothing apart.
when new.previous_updated_at is not null and old.street_hash is not null and old.zip5 is not null
  and ((old.street_hash, old.zip5) is not (new.street_hash, new.zip5)
    or old.unit_hash <> 0 and new.unit_hash <> 0 and abs(old.unit_hash) <> abs(new.unit_hash))
begin
  insert into former_addresses (account_id, client_id, superseded_at, street_hash, unit_hash, zip5)
  values (old.account_id, old.id, new.updated_at, old.street_hash, old.unit_hash, old.zip5);
end;
create trigger former_addresses_end after delete on client_states
begin
  delete from former_addresses
  where account_id = old.account_id and client_id = old.id and superseded_at = old.superseded_at;
end;

create table removed_clients (
  -- A client that the undo of a change removed, as it was, until the undo is undone or the history ends.
  account_id integer not null,
  id blob not null,
  removed_at integer not null,
  external_id text,
  first_name text,
  last_name text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  zip text,
  email text,
  phone text,
  case_type text,
  opened_on text,
  settled_on text,
  do_not_mail integer not null,
  created_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create index removed_clients_by_time on removed_clients (account_id, removed_at, id);
create trigger removed_clients_leave after insert on removed_clients
begin
  delete from clients where account_id = new.account_id and id = new.id;
end;

create table client_aliases (
  -- A further external_id of a client, by which it is found too: no other client has it as its own or as an alias. Each
  -- row has the requests that gave it and took it.
  account_id integer not null,
  client_id blob not null,
  added_in blob not null,
  external_id text not null,
  removed_in blob,
  primary key (account_id, client_id, added_in)
) strict, without rowid;
create unique index client_aliases_by_external_id on client_aliases (account_id, external_id) where removed_in is null;
create index client_aliases_by_addition on client_aliases (account_id, added_in);
create index client_aliases_by_removal on client_aliases (account_id, removed_in) where removed_in is not null;

create table similar_pairs (
  -- Two clients that may be one person, the smaller id first.
  account_id integer not null,
  client_id blob not null,
  other_id blob not null,
  -- The names of the reasons, with commas between them.
  reasons text not null,
  found_at integer not null,
  -- Null while nothing is decided.
  decision text check (decision in ('same', 'different')),
  decided_at integer,
  decided_by text,
  primary key (account_id, client_id, other_id)
) strict, without rowid;
create index similar_pairs_by_other on similar_pairs (account_id, other_id);
create trigger similar_pairs_end after delete on clients
begin
  delete from similar_pairs where account_id = old.account_id and client_id = old.id;
  delete from similar_pairs where account_id = old.account_id and other_id = old.id;
end;

create table settlements (
  -- A settlement of a client. A letter goes out once for each.
  account_id integer not null,
  client_id blob not null,
  id blob not null,
  settled_on text not null,
  -- Dates it had before corrections, oldest first: a JSON array.
  former_dates text not null,
  begun_at integer not null,
  changed_at integer not null,
  primary key (account_id, client_id, id)
) strict, without rowid;
create index settlements_by_change on settlements (account_id, changed_at, id);

create table commits (
  -- Every change of an account's clients: which request made it, with which key.
  account_id integer not null,
  request_id blob not null,
  -- Which attempt of the request it was: tells which answer belongs to it.
  attempt integer not null,
  at integer not null,
  -- The period of the states that it superseded, where they are kept.
  period integer,
  -- Null for changes of the operator and of people in the console.
  api_key_id blob,
  -- The login of a person in the console.
  login_id blob,
  -- The import that it is a batch of.
  import_id blob,
  -- How many clients it created, and how many it changed.
  created integer not null,
  changed integer not null,
  primary key (account_id, request_id)
) strict, without rowid;
-- The record of a commit is kept as long as the history.
create trigger removed_clients_end after delete on commits
begin
  delete from removed_clients where account_id = old.account_id and removed_at <= old.at;
end;

create table imports (
  -- A file that a person of the account sends in the console, batch by batch.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  -- Who began it.
  login_id blob not null,
  file_name text not null,
  -- The SHA-256 of the file, 64 hexadecimal digits.
  digest text not null,
  -- The rows of the file.
  row_count integer not null,
  -- Which column became which field: a JSON object.
  mapping text not null,
  -- How many rows are done, and what became of them.
  sent_rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  started_at integer not null,
  ended_at integer
) strict, without rowid;
create index imports_by_account on imports (account_id, started_at, id);

create table review_items (
  -- A client of a request that was not saved. The least lately seen are pruned, a few with each new one.
  account_id integer not null,
  -- The same whenever the same client is not saved.
  id blob not null,
  -- Grows each time that an item of the account is written.
  number integer not null,
  status text not null check (status in ('conflict', 'error')),
  message text not null,
  -- A JSON object; null where it is too large.
  sent text,
  -- A digest of what was sent.
  content blob not null,
  -- The clients in the way: a JSON array of ids.
  candidates text not null,
  name_hash integer,
  -- Who sent it last, as in commits.
  request_id blob not null,
  api_key_id blob,
  login_id blob,
  import_id blob,
  first_seen_at integer not null,
  last_seen_at integer not null,
  -- Whether somebody has to look at it.
  waits integer not null default 1,
  -- The request that decided about it last.
  decided_in blob,
  primary key (account_id, id)
) strict, without rowid;
create unique index review_items_by_number on review_items (account_id, number);
create index review_items_decided on review_items (account_id, decided_in) where decided_in is not null;

create table letters_on (
  -- Who turned a client's letters on again, and why. It goes with the client.
  account_id integer not null,
  client_id blob not null,
  at integer not null,
  actor text not null,
  -- Null where the operator did it.
  reason text,
  primary key (account_id, client_id, at)
) strict, without rowid;

create table saved_answers (
  -- An answer under an idempotency key, for 24 hours.
  account_id integer not null,
  idempotency_key text not null,
  request_digest text not null,
  status integer not null,
  body text not null,
  saved_at integer not null,
  primary key (account_id, idempotency_key)
) strict, without rowid;
create index saved_answers_by_time on saved_answers (saved_at);

create table client_tombstones (
  -- What remains of an erased client: digests of its identities, salted with the account.
  account_id integer not null,
  identity blob not null,
  do_not_mail integer not null,
  primary key (account_id, identity)
) strict, without rowid;

create table prospects (
  -- A person in a crash.
  id blob not null primary key,
  -- The id in the operator's source.
  source_id text not null unique,
  first_name text,
  last_name text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  zip text,
  email text,
  phone text,
  person_type text,
  injury_severity text,
  transported integer,
  crash_date text not null,
  crash_time text,
  crash_city text,
  crash_state text,
  crash_county text,
  crash_county_fips text not null,
  crash_report_number text,
  manner_of_collision text,
  vehicle_year integer,
  vehicle_make text,
  vehicle_model text,
  vehicle_towed integer,
  hit_and_run integer,
  -- The year of crash_date: a listing reads only the years that a grant opens.
  crash_year integer not null,
  -- The import that added it.
  added_at integer not null
) strict, without rowid;
create index prospects_by_county on prospects (crash_county_fips, crash_year, added_at, id, crash_date);

create table prospect_tombstones (
  -- A prospect that was erased; no import brings it back.
  source_id text not null primary key
) strict, without rowid;

create table prospect_clock (
  -- One row: the time of the last change of prospects. The next one gets a later one.
  id integer primary key check (id = 1),
  last_change_at integer not null,
  -- The time of the last change that took a prospect from a page. A replica that is older still shows it.
  last_removal_at integer not null
) strict;
insert into prospect_clock (id, last_change_at, last_removal_at) values (1, 0, 0);

create table prospect_databases (
  -- In the directory of accounts that have objects of their own: the bindings of further databases of prospects.
  binding text not null primary key
) strict, without rowid;

create table prospect_lock (
  -- Likewise: the request that changes prospects there. No row while none does.
  id integer primary key check (id = 1),
  holder text not null,
  -- Milliseconds since 1970: another request may take the lock over then.
  expires_at integer not null
) strict;

create table operator_log (
  -- Everything that the operator and people in the console did. Append-only, until an entry is past its retention.
  at integer not null,
  id blob not null,
  actor text not null,
  action text not null,
  subject text not null,
  request_id blob not null,
  -- The account that the entry concerns, if it is one alone.
  account_id integer,
  primary key (at, id)
) strict, without rowid;
create index operator_log_by_account on operator_log (account_id, at, id) where account_id is not null;
create trigger operator_log_keeps_entries before delete on operator_log
-- The shortest retention, 90 days before the newest entry.
when old.at >= (select max(at) from operator_log) - 7776000000000
begin
  select raise(abort, 'the log is append-only');
end;
create trigger operator_log_keeps_words before update on operator_log
begin
  select raise(abort, 'the log is append-only');
end;

create table stale_read (
  -- Always empty. A commit whose ground has moved tries to insert a row, and so fails as a whole.
  hit text,
  constraint stale_read check (hit is null)
) strict;
