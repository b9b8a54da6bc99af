-- A database as the first migration made it, with made-up data. See host-native/tests/upgrade.rs.
CREATE TABLE schema_migrations (
  -- Which migrations this database has had, and when, in microseconds since 1970.
  number integer primary key,
  name text not null,
  applied_at integer not null
) strict;
CREATE TABLE accounts (
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
CREATE TABLE account_imports (
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
CREATE TABLE copied_changes (
  -- In the directory of accounts that have objects of their own: the number of the newest change of the account's object
  -- that is copied. Empty elsewhere.
  account_id integer not null primary key,
  number integer not null
) strict, without rowid;
CREATE TABLE logins (
  -- A person's login to an account.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'teammate', 'view_only')),
  created_at integer not null
) strict, without rowid;
CREATE TABLE sign_in_links (
  -- The newest sign-in link of a login, until it is used. Of its token only the SHA-256 is kept.
  login_id blob not null primary key,
  digest text not null unique,
  expires_at integer not null
) strict, without rowid;
CREATE TABLE sessions (
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
CREATE TABLE passkeys (
  -- A passkey of a login. Its state is what the library verifies assertions with.
  credential_id blob not null primary key,
  id blob not null unique,
  login_id blob not null,
  state blob not null,
  name text not null,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;
CREATE TABLE api_keys (
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
CREATE TABLE key_secrets (
  -- The key secrets that keys were made with: a value that tells them apart and reveals nothing of them.
  check_value text not null primary key
) strict, without rowid;
CREATE TABLE county_grants (
  -- The account sees crashes in this county from this crash date on.
  account_id integer not null references accounts (id),
  county_fips text not null,
  from_date text not null,
  primary key (account_id, county_fips)
) strict, without rowid;
CREATE TABLE clients (
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
CREATE TABLE client_states (
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
CREATE TABLE former_addresses (
  -- Where a client lived until a commit, as hashes of clients; kept as long as the state before that commit.
  account_id integer not null,
  client_id blob not null,
  superseded_at integer not null,
  street_hash integer not null,
  unit_hash integer not null,
  zip5 integer not null,
  primary key (account_id, client_id, superseded_at)
) strict, without rowid;
CREATE TABLE removed_clients (
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
CREATE TABLE client_aliases (
  -- A further external_id of a client, by which it is found too: no other client has it as its own or as an alias. Each
  -- row has the requests that gave it and took it.
  account_id integer not null,
  client_id blob not null,
  added_in blob not null,
  external_id text not null,
  removed_in blob,
  primary key (account_id, client_id, added_in)
) strict, without rowid;
CREATE TABLE similar_pairs (
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
CREATE TABLE settlements (
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
CREATE TABLE commits (
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
CREATE TABLE imports (
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
CREATE TABLE review_items (
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
CREATE TABLE letters_on (
  -- Who turned a client's letters on again, and why. It goes with the client.
  account_id integer not null,
  client_id blob not null,
  at integer not null,
  actor text not null,
  -- Null where the operator did it.
  reason text,
  primary key (account_id, client_id, at)
) strict, without rowid;
CREATE TABLE saved_answers (
  -- An answer under an idempotency key, for 24 hours.
  account_id integer not null,
  idempotency_key text not null,
  request_digest text not null,
  status integer not null,
  body text not null,
  saved_at integer not null,
  primary key (account_id, idempotency_key)
) strict, without rowid;
CREATE TABLE client_tombstones (
  -- What remains of an erased client: digests of its identities, salted with the account.
  account_id integer not null,
  identity blob not null,
  do_not_mail integer not null,
  primary key (account_id, identity)
) strict, without rowid;
CREATE TABLE prospects (
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
CREATE TABLE prospect_tombstones (
  -- A prospect that was erased; no import brings it back.
  source_id text not null primary key
) strict, without rowid;
CREATE TABLE prospect_clock (
  -- One row: the time of the last change of prospects. The next one gets a later one.
  id integer primary key check (id = 1),
  last_change_at integer not null,
  -- The time of the last change that took a prospect from a page. A replica that is older still shows it.
  last_removal_at integer not null
) strict;
CREATE TABLE prospect_databases (
  -- In the directory of accounts that have objects of their own: the bindings of further databases of prospects.
  binding text not null primary key
) strict, without rowid;
CREATE TABLE prospect_lock (
  -- Likewise: the request that changes prospects there. No row while none does.
  id integer primary key check (id = 1),
  holder text not null,
  -- Milliseconds since 1970: another request may take the lock over then.
  expires_at integer not null
) strict;
CREATE TABLE operator_log (
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
CREATE TABLE stale_read (
  -- Always empty. A commit whose ground has moved tries to insert a row, and so fails as a whole.
  hit text,
  constraint stale_read check (hit is null)
) strict;
insert into schema_migrations (number, name, applied_at) values (1, 'accounts_clients_prospects', 1795857297682998);
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, last_alias_at, compared_at, compared_until) values (1, X'01941F2981DC7C5FB71F1F04FF000000', 23538741466458, 'owner@first.example', 1, 0, 1, 1, 1735689601500000, 1735696851000000, 1735689649500000, NULL, NULL, NULL);
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, last_alias_at, compared_at, compared_until) values (2, X'01941F298D947B4094CC9893A9000000', 39494601973701, 'owner@second.example', 1, 1, 0, 0, 1735689604500000, 0, NULL, NULL, NULL, NULL);
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, last_alias_at, compared_at, compared_until) values (3, X'01941F299F28768F8B9B6BA8AF000000', 20317571026232, 'owner@third.example', 0, 0, 0, 0, 1735689609000000, 0, NULL, NULL, NULL, NULL);
insert into logins (id, account_id, email, role, created_at) values (X'01941F2981DC7C5FB71F1F04FF000001', 1, 'owner@first.example', 'owner', 1735689601500000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F298D947B4094CC9893A9000001', 2, 'owner@second.example', 'owner', 1735689604500000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F299F28768F8B9B6BA8AF000001', 3, 'owner@third.example', 'owner', 1735689609000000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F29B6987DCAB6141A733B000000', 1, 'teammate@first.example', 'teammate', 1735689615000000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F29BC747BFFB1225BE4B5000000', 1, 'view_only@first.example', 'view_only', 1735689616500000);
insert into api_keys (id, account_id, login_id, digest, last_four, label, scope, ends_at, created_at, last_used_at, revoked_at) values (X'01941F2987B87FB68C961D57E3000000', 1, X'01941F2981DC7C5FB71F1F04FF000001', 'kk0AkjWBzrrfdTdfcu7iaL6VkO4QwZ291MlYnLUM1xs', 'f0NI', 'case system', NULL, NULL, 1735689603000000, 1735689628500000, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, scope, ends_at, created_at, last_used_at, revoked_at) values (X'01941F299370757B90DD7B2164000000', 2, X'01941F298D947B4094CC9893A9000001', '0oJHwJoIhBVzBNLzPy3A_0tBVLaoCJ7x_3-2wqwQTQg', 'VRMQ', 'case system', NULL, NULL, 1735689606000000, 1735696871000000, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, scope, ends_at, created_at, last_used_at, revoked_at) values (X'01941F29A50474798D4BAAA50E000000', 3, X'01941F299F28768F8B9B6BA8AF000001', 'S0YD6PapQkQvLmJSNLFyBlT6lcHr0YXQN8lCb9uy_xE', 'DSj4', 'case system', NULL, NULL, 1735689610500000, NULL, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, scope, ends_at, created_at, last_used_at, revoked_at) values (X'01941F29AAE079809EC5D735E4000000', 1, X'01941F2981DC7C5FB71F1F04FF000001', '92qKSCsc1Fu6on-D79ops-R47GyZ2c-BBGqMEqFfpSs', 'yy5s', NULL, NULL, NULL, 1735689612000000, NULL, 1735689613500000);
insert into key_secrets (check_value) values ('0TumQ969m-Mm');
insert into county_grants (account_id, county_fips, from_date) values (1, '06037', '2024-01-01');
insert into county_grants (account_id, county_fips, from_date) values (1, '17031', '2024-06-15');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB5479D090851BA795000000', 'case-1', 'Zoë', 'O’Sample-Núñez', '12 North Elm Street', 'Apt 4
rear', 'Peoria', 'IL', '62704-1234', 'Zoe@example.com', '+13095550100', 'Auto accident', '2024-03-03', '2024-11-01', 0, 1735689628500000, 1735696851000000, X'01941F98203876BB933CB1E363000000', 1, 1735696813391872, 1735689648000000, 6314396422081055, 6848946085578633, -3825453795569860, 62704, X'0828E8E588BD1233511252D078C74220');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB5479D090851BA795000002', NULL, 'राम', 'शर्मा', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, X'01941F29EB5472F28A46039F89000000', NULL, NULL, NULL, 936263742651949, NULL, 0, NULL, X'78FEE82A68E46F1658FBE327B7D8A8C5');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB5479D090851BA795000006', NULL, 'Ana', 'Match', '7 E Oak Ave', NULL, NULL, NULL, '02134', NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, X'01941F29EB5472F28A46039F89000000', NULL, NULL, NULL, 4837803018710297, 3201803479156948, 0, 2134, X'C7C73DF95942AEF0FAA0F38C97551D62');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB5479D090851BA795000008', 'quote''d', NULL, 'D"Or \ back', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, X'01941F29EB5472F28A46039F89000000', NULL, NULL, NULL, 5837813249579733, NULL, 0, NULL, X'F16F85B97CE1BA6BB77FFBC1D06C4812');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29F1307668B4A957BED3000000', 'n-0', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689630000000, 1735689630000000, X'01941F29F1307D79A8FFC995D6000000', NULL, NULL, NULL, 4243066037601499, NULL, 0, NULL, X'1501DCB66365831A5EC00A0455A77CE2');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29F70C75A39A6743C421000000', 'n-1', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-20', 0, 1735689631500000, 1735689643500000, X'01941F2A25EC709A9481E459E8000000', 1, 1735689565634560, 1735689642000000, 4243066037601499, NULL, 0, NULL, X'49B599132CDD83EE3D9DCBFECDDD96B4');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29FCE87F88851A459A8C000000', 'n-2', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-03', 0, 1735689633000000, 1735689646500000, X'01941F2A31A478F3A7490DC152000000', 1, 1735689565634560, 1735689645000000, 4243066037601499, NULL, 0, NULL, X'68B8C410F57EF538B446DADAE4415667');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A02C47D019800BB0F8C000000', 'n-3', 'Nora', 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689634500000, 1735696851000000, X'01941F98203876BB933CB1E363000000', 1, 1735696813391872, 1735689634500000, 8588908724807687, NULL, 0, NULL, X'8A347B8B1F9B62A3CE8C5D03B19995E4');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A08A07E658BEA2E7B18000000', 'n-4', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689636000000, 1735689636000000, X'01941F2A08A0707D96F1F282AE000000', NULL, NULL, NULL, 4243066037601499, NULL, 0, NULL, X'91A2C60C783C3C96123798BD887ECADE');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A0E7C71A68DC8717BE7000000', 'n-5', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689637500000, 1735689637500000, X'01941F2A0E7C7A67A268C71EB9000000', NULL, NULL, NULL, 4243066037601499, NULL, 0, NULL, X'BF3EFCC451E889B0EF021C8F6551F4E9');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A145875BEB3311BE9BD000000', 'n-6', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689639000000, 1735689639000000, X'01941F2A14587D75B61869104B000000', NULL, NULL, NULL, 4243066037601499, NULL, 0, NULL, X'DDD3C86FF332FB7DA3FBC7647DD59B82');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A1A34732A9D022FFFDA000000', 'n-7', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689640500000, 1735689640500000, X'01941F2A1A3477648726A72F8E000000', NULL, NULL, NULL, 4243066037601499, NULL, 0, NULL, X'C3A122EE68BC8B535D1CF6D11FBA6E81');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, request_id, matched_by, previous_period, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F98203873FF8539668E9E000004', 'newest', NULL, 'Newcomer', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735696851000000, 1735696851000000, X'01941F98203876BB933CB1E363000000', NULL, NULL, NULL, 7488325965787377, NULL, 0, NULL, X'C9688B8409E9B0CE5D4BCDE04560D56E');
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689565634560, 1735689628500000, X'01941F29EB5479D090851BA795000000', 1735689648000000, X'01941F29EB5472F28A46039F89000000', NULL, NULL, NULL, 'case-1', 'Zoë', 'O’Sample-Núñez', '12 North Elm Street', 'Apt 4
rear', 'Springfield', 'IL', '62704-1234', 'Zoe@example.com', '+12175550123', 'Auto accident', '2024-03-03', '2024-11-01', 1, 1735689628500000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689565634560, 1735689631500000, X'01941F29F70C75A39A6743C421000000', 1735689642000000, X'01941F29F70C739B8C4C41A13F000000', NULL, NULL, NULL, 'n-1', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689631500000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689565634560, 1735689633000000, X'01941F29FCE87F88851A459A8C000000', 1735689645000000, X'01941F29FCE878A9BE421546F8000000', NULL, NULL, NULL, 'n-2', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689633000000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689565634560, 1735689642000000, X'01941F29F70C75A39A6743C421000000', 1735689643500000, X'01941F2A20107A2C9C9D7BEBC4000000', 1, 1735689565634560, 1735689631500000, 'n-1', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-01', 0, 1735689631500000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689565634560, 1735689645000000, X'01941F29FCE87F88851A459A8C000000', 1735689646500000, X'01941F2A2BC879A5B5201EB3C3000000', 1, 1735689565634560, 1735689633000000, 'n-2', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-02', 0, 1735689633000000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735696813391872, 1735689634500000, X'01941F2A02C47D019800BB0F8C000000', 1735696851000000, X'01941F2A02C47664A6E0EA12D2000000', NULL, NULL, NULL, 'n-3', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689634500000);
insert into client_states (account_id, period, updated_at, id, superseded_at, request_id, matched_by, previous_period, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735696813391872, 1735689648000000, X'01941F29EB5479D090851BA795000000', 1735696851000000, X'01941F2A37807A339FF6DEFC6E000000', NULL, 1735689565634560, 1735689628500000, 'case-1', 'Zoë', 'O’Sample-Núñez', '12 North Elm Street', 'Apt 4
rear', 'Springfield', 'IL', '62704-1234', 'Zoe@example.com', '+12175550123', 'Auto accident', '2024-03-03', '2024-11-01', 0, 1735689628500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29EB5479D090851BA795000000', X'01941F29EB5479D090851BA795000001', '2024-11-01', '[]', 1735689628500000, 1735689628500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29F70C75A39A6743C421000000', X'01941F2A201077AAAF6B028742000001', '2024-12-01', '[]', 1735689642000000, 1735689642000000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29F70C75A39A6743C421000000', X'01941F2A25EC708A83FE34BAC4000001', '2024-12-20', '[]', 1735689643500000, 1735689643500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29FCE87F88851A459A8C000000', X'01941F2A2BC87224927AF5AC7E000001', '2024-12-03', '["2024-12-02"]', 1735689645000000, 1735689646500000);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F29EB5472F28A46039F89000000', 1, 1735689628500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 5, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F29F1307D79A8FFC995D6000000', 1, 1735689630000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F29F70C739B8C4C41A13F000000', 1, 1735689631500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F29FCE878A9BE421546F8000000', 1, 1735689633000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A02C47664A6E0EA12D2000000', 1, 1735689634500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A08A0707D96F1F282AE000000', 1, 1735689636000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A0E7C7A67A268C71EB9000000', 1, 1735689637500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A14587D75B61869104B000000', 1, 1735689639000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A1A3477648726A72F8E000000', 1, 1735689640500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A20107A2C9C9D7BEBC4000000', 1, 1735689642000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 0, 1);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A25EC709A9481E459E8000000', 1, 1735689643500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 0, 1);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A2BC879A5B5201EB3C3000000', 1, 1735689645000000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 0, 1);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A31A478F3A7490DC152000000', 1, 1735689646500000, 1735689565634560, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 0, 1);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A37807A339FF6DEFC6E000000', 1, 1735689648000000, 1735689565634560, NULL, NULL, NULL, 0, 1);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F2A3D5C7C1A87A4B96259000000', 1, 1735689649500000, 1735689632743424, NULL, NULL, NULL, 0, 0);
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed) values (1, X'01941F98203876BB933CB1E363000000', 1, 1735696851000000, 1735696813391872, X'01941F2987B87FB68C961D57E3000000', NULL, NULL, 1, 2);
insert into letters_on (account_id, client_id, at, actor, reason) values (1, X'01941F29EB5479D090851BA795000000', 1735689648000000, 'First Operator', NULL);
insert into saved_answers (account_id, idempotency_key, request_digest, status, body, saved_at) values (1, 'correction', 'PY1_P--Hi8VhsPlVN4awe9M2Q2IkAByxyO8y8iFyn8c', 200, '{"result":{"index":0,"status":"updated","id":"01941f29-fce8-7f88-851a-459a8c000000"}}', 1735689646500000);
insert into client_tombstones (account_id, identity, do_not_mail) values (1, X'C86224051A415B87ED0228FCAE4F47E054DF97FB663D86360AF68E4628ABC9C1', 1);
insert into client_tombstones (account_id, identity, do_not_mail) values (1, X'F04E2847E4C135326E8E3589545F303A747B4BBEBC546F2AE4281F7EC41ACAAC', 1);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C07EFAA519FEA699000000', 's-1', 'Pat', 'Sample1', '1 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', 'Corrected', NULL, NULL, '06037', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C07EFAA519FEA699000001', 's-2', 'Pat', 'Sample2', '2 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', NULL, NULL, NULL, '17031', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C07EFAA519FEA699000002', 's-3', 'Pat', 'Sample3', '3 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', NULL, NULL, NULL, '48113', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospect_tombstones (source_id) values ('s-erased');
insert into prospect_clock (id, last_change_at, last_removal_at) values (1, 1735689627000000, 1735689625500000);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689601500000, X'01941F2981DC724AA9BD886540000000', 'First Operator', 'account.create', '01941f29-81dc-7c5f-b71f-1f04ff000000', X'01941F2981DC7D04A4754498E0000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689603000000, X'01941F2987B8745C857BCD3A6B000000', 'First Operator', 'key.create', '01941f29-87b8-7fb6-8c96-1d57e3000000', X'01941F2987B87005B02D43FA06000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689604500000, X'01941F298D947BB098F37B8916000000', 'First Operator', 'account.create', '01941f29-8d94-7b40-94cc-9893a9000000', X'01941F298D9474AC977CDB2EF6000000', 2);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689606000000, X'01941F29937072948DCF26FA07000000', 'First Operator', 'key.create', '01941f29-9370-757b-90dd-7b2164000000', X'01941F2993707C0E871832D527000000', 2);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689607500000, X'01941F29994C7C63882DEACEC8000000', 'First Operator', 'account.set', '01941f29-8d94-7b40-94cc-9893a9000000', X'01941F29994C7D85B846724062000000', 2);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689609000000, X'01941F299F287634AE4F2237E1000000', 'First Operator', 'account.create', '01941f29-9f28-768f-8b9b-6ba8af000000', X'01941F299F287B5080B73A53F0000000', 3);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689610500000, X'01941F29A504782993AEF5110A000000', 'First Operator', 'key.create', '01941f29-a504-7479-8d4b-aaa50e000000', X'01941F29A5047F5E9C6F1EFB16000000', 3);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689612000000, X'01941F29AAE07D548E110C9B04000000', 'First Operator', 'key.create', '01941f29-aae0-7980-9ec5-d735e4000000', X'01941F29AAE0766C97014A6156000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689613500000, X'01941F29B0BC7F06BE463C87D0000000', 'First Operator', 'key.revoke', '01941f29-aae0-7980-9ec5-d735e4000000', X'01941F29B0BC7348A21A527709000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689615000000, X'01941F29B6987D1DA9E0C41911000000', 'First Operator', 'login.add', '01941f29-b698-7dca-b614-1a733b000000', X'01941F29B6987BC6B471C189D7000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689616500000, X'01941F29BC747466AE94F51732000000', 'First Operator', 'login.add', '01941f29-bc74-7bff-b122-5be4b5000000', X'01941F29BC747B8D8103E3A8D9000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689618000000, X'01941F29C25074C78738ECE23B000000', 'First Operator', 'county.grant', '01941f29-81dc-7c5f-b71f-1f04ff000000 06037', X'01941F29C25072A2A4EE63BC82000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689619500000, X'01941F29C82C74F294DEB577B8000000', 'First Operator', 'county.grant', '01941f29-81dc-7c5f-b71f-1f04ff000000 17031', X'01941F29C82C785F840B865D70000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689621000000, X'01941F29CE08725088DA800186000000', 'First Operator', 'county.grant', '01941f29-81dc-7c5f-b71f-1f04ff000000 48113', X'01941F29CE087A42A3892368F8000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689622500000, X'01941F29D3E47ADD9579F3474F000000', 'First Operator', 'county.revoke', '01941f29-81dc-7c5f-b71f-1f04ff000000 48113', X'01941F29D3E47ED2B8245FDC8A000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689624000000, X'01941F29D9C07CBF93F69F6EEA000000', 'First Operator', 'prospect.import', '4', X'01941F29D9C0716EBE34E810D8000000', NULL);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689625500000, X'01941F29DF9C78C1A36BCA3291000000', 'First Operator', 'prospect.erase', '01941f29-d9c0-7efa-a519-fea699000003', X'01941F29DF9C761FA27B421325000000', NULL);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689627000000, X'01941F29E57875F899671956D8000000', 'First Operator', 'prospect.import', '1', X'01941F29E5787209BE3BC3497E000000', NULL);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689648000000, X'01941F2A37807CED841A6C1073000000', 'First Operator', 'client.mail_on', '01941f29-eb54-79d0-9085-1ba795000000', X'01941F2A37807A339FF6DEFC6E000000', 1);
insert into operator_log (at, id, actor, action, subject, request_id, account_id) values (1735689649500000, X'01941F2A3D5C7E96854F2B7A6B000000', 'First Operator', 'client.erase', '01941f29-eb54-79d0-9085-1ba795000004', X'01941F2A3D5C7C1A87A4B96259000000', 1);
CREATE INDEX accounts_by_creation on accounts (created_at, public_id);
CREATE INDEX logins_by_account on logins (account_id, created_at, id);
CREATE INDEX sessions_by_login on sessions (login_id, started_at, id);
CREATE INDEX sessions_by_use on sessions (used_at);
CREATE INDEX passkeys_by_login on passkeys (login_id, created_at, id);
CREATE INDEX api_keys_by_account on api_keys (account_id, created_at, id);
CREATE UNIQUE INDEX api_keys_live on api_keys (digest) where revoked_at is null;
CREATE UNIQUE INDEX clients_by_external_id on clients (account_id, external_id) where external_id is not null;
CREATE INDEX clients_without_external_id on clients (account_id, name_hash, zip5, street_hash, created_at, id, unit_hash)
  where name_hash is not null and external_id is null;
CREATE INDEX clients_with_external_id on clients (account_id, name_hash, zip5, street_hash, created_at, id, unit_hash)
  where name_hash is not null and external_id is not null;
CREATE INDEX clients_by_update on clients (account_id, updated_at, id);
CREATE TRIGGER clients_keep_states after update on clients when new.previous_updated_at is not null
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
CREATE TRIGGER clients_keep_addresses after update of street_hash, unit_hash, zip5 on clients
-- A missing unit tells nothing apart.
when new.previous_updated_at is not null and old.street_hash is not null and old.zip5 is not null
  and ((old.street_hash, old.zip5) is not (new.street_hash, new.zip5)
    or old.unit_hash <> 0 and new.unit_hash <> 0 and abs(old.unit_hash) <> abs(new.unit_hash))
begin
  insert into former_addresses (account_id, client_id, superseded_at, street_hash, unit_hash, zip5)
  values (old.account_id, old.id, new.updated_at, old.street_hash, old.unit_hash, old.zip5);
end;
CREATE TRIGGER former_addresses_end after delete on client_states
begin
  delete from former_addresses
  where account_id = old.account_id and client_id = old.id and superseded_at = old.superseded_at;
end;
CREATE INDEX removed_clients_by_time on removed_clients (account_id, removed_at, id);
CREATE TRIGGER removed_clients_leave after insert on removed_clients
begin
  delete from clients where account_id = new.account_id and id = new.id;
end;
CREATE UNIQUE INDEX client_aliases_by_external_id on client_aliases (account_id, external_id) where removed_in is null;
CREATE INDEX client_aliases_by_addition on client_aliases (account_id, added_in);
CREATE INDEX client_aliases_by_removal on client_aliases (account_id, removed_in) where removed_in is not null;
CREATE INDEX similar_pairs_by_other on similar_pairs (account_id, other_id);
CREATE TRIGGER similar_pairs_end after delete on clients
begin
  delete from similar_pairs where account_id = old.account_id and client_id = old.id;
  delete from similar_pairs where account_id = old.account_id and other_id = old.id;
end;
CREATE INDEX settlements_by_change on settlements (account_id, changed_at, id);
CREATE TRIGGER removed_clients_end after delete on commits
begin
  delete from removed_clients where account_id = old.account_id and removed_at <= old.at;
end;
CREATE INDEX imports_by_account on imports (account_id, started_at, id);
CREATE UNIQUE INDEX review_items_by_number on review_items (account_id, number);
CREATE INDEX review_items_decided on review_items (account_id, decided_in) where decided_in is not null;
CREATE INDEX saved_answers_by_time on saved_answers (saved_at);
CREATE INDEX prospects_by_county on prospects (crash_county_fips, crash_year, added_at, id, crash_date);
CREATE INDEX operator_log_by_account on operator_log (account_id, at, id) where account_id is not null;
CREATE TRIGGER operator_log_keeps_entries before delete on operator_log
-- The shortest retention, 90 days before the newest entry.
when old.at >= (select max(at) from operator_log) - 7776000000000
begin
  select raise(abort, 'the log is append-only');
end;
CREATE TRIGGER operator_log_keeps_words before update on operator_log
begin
  select raise(abort, 'the log is append-only');
end;
