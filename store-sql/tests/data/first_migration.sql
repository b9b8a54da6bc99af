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
  -- 48 random bits, which each of its keys begins with.
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
  -- How far the round that prunes client_states has come: after the row with this key.
  swept_at integer not null default 0,
  swept_id blob not null default x''
) strict;
CREATE TABLE logins (
  -- A person's login to an account.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'teammate', 'view_only')),
  created_at integer not null
) strict, without rowid;
CREATE TABLE api_keys (
  -- An API key. Of the key itself only its SHA-256 is kept, as 43 characters of base64url, and its end.
  id blob not null primary key,
  account_id integer not null references accounts (id),
  login_id blob not null,
  digest text not null unique,
  last_four text not null,
  label text,
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
  -- updated_at of the state before this one, where client_states keeps it.
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
  -- A client as it was, for as long as GET /clients may still show it so: from updated_at until
  -- superseded_at. Pruned a few with each commit, so rows of the past are left for a while.
  account_id integer not null,
  updated_at integer not null,
  id blob not null,
  superseded_at integer not null,
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
  primary key (account_id, updated_at, id)
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
  -- Null for the operator's changes.
  api_key_id blob,
  primary key (account_id, request_id)
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
  last_change_at integer not null
) strict;
CREATE TABLE operator_log (
  -- Everything that the operator did. Append-only, until an entry is past its retention.
  at integer not null,
  id blob not null,
  actor text not null,
  action text not null,
  subject text not null,
  request_id blob not null,
  primary key (at, id)
) strict, without rowid;
CREATE TABLE stale_read (
  -- Always empty. A commit whose ground has moved tries to insert a row, and so fails as a whole.
  hit text,
  constraint stale_read check (hit is null)
) strict;
insert into schema_migrations (number, name, applied_at) values (1, 'accounts_clients_prospects', 1795491049966266);
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, swept_at, swept_id) values (1, X'01941F2981DC7E7080CAC3CCF5000000', 225419822711960, 'owner@first.example', 1, 0, 1, 1, 1735689601500000, 1735696851000000, 1735689649500000, 9007199254740991, X'');
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, swept_at, swept_id) values (2, X'01941F298D947E91A90E0DCF65000000', 22730434730798, 'owner@second.example', 1, 1, 0, 0, 1735689604500000, 0, NULL, 0, X'');
insert into accounts (id, public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at, last_commit_at, last_erasure_at, swept_at, swept_id) values (3, X'01941F299F287B26BEE26E3A9B000000', 12438237297235, 'owner@third.example', 0, 0, 0, 0, 1735689609000000, 0, NULL, 0, X'');
insert into logins (id, account_id, email, role, created_at) values (X'01941F2981DC7E7080CAC3CCF5000001', 1, 'owner@first.example', 'owner', 1735689601500000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F298D947E91A90E0DCF65000001', 2, 'owner@second.example', 'owner', 1735689604500000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F299F287B26BEE26E3A9B000001', 3, 'owner@third.example', 'owner', 1735689609000000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F29B6987EEC98DE7BB281000000', 1, 'teammate@first.example', 'teammate', 1735689615000000);
insert into logins (id, account_id, email, role, created_at) values (X'01941F29BC747DCAB6141A733B000000', 1, 'view_only@first.example', 'view_only', 1735689616500000);
insert into api_keys (id, account_id, login_id, digest, last_four, label, created_at, last_used_at, revoked_at) values (X'01941F2987B87EC1AADFFFE1C9000000', 1, X'01941F2981DC7E7080CAC3CCF5000001', '3HxaVEZfc_WRPQm8AcO6RU7b1M_dXIalnE7OsDAH7Ro', 'u-Ys', 'case system', 1735689603000000, 1735689628500000, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, created_at, last_used_at, revoked_at) values (X'01941F2993707585859F292BC4000000', 2, X'01941F298D947E91A90E0DCF65000001', 'L6AcK6WdNlZImbu8DlCAdsBwkQQQxdPjEVEZ4ePdzLw', 'GyuM', 'case system', 1735689606000000, 1735696871000000, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, created_at, last_used_at, revoked_at) values (X'01941F29A5047450A7A1961F13000000', 3, X'01941F299F287B26BEE26E3A9B000001', 'NcHitG96-uo6xmFTTPwlZEvt2LMPNLJ41OTPwHIRxSI', 'Whrs', 'case system', 1735689610500000, NULL, NULL);
insert into api_keys (id, account_id, login_id, digest, last_four, label, created_at, last_used_at, revoked_at) values (X'01941F29AAE07EB1AA40D8F14B000000', 1, X'01941F2981DC7E7080CAC3CCF5000001', 'cvx2cn4-t0C9xtR6ZICPAnTUD6wmsQJ6gdztgloHe6A', 'GNnQ', NULL, 1735689612000000, NULL, 1735689613500000);
insert into key_secrets (check_value) values ('0TumQ969m-Mm');
insert into county_grants (account_id, county_fips, from_date) values (1, '06037', '2024-01-01');
insert into county_grants (account_id, county_fips, from_date) values (1, '17031', '2024-06-15');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB547BD99F0600A17C000000', 'case-1', 'Zoë', 'O’Sample-Núñez', '12 North Elm Street', 'Apt 4
rear', 'Peoria', 'IL', '62704-1234', 'Zoe@example.com', '+13095550100', 'Auto accident', '2024-03-03', '2024-11-01', 0, 1735689628500000, 1735696851000000, 1735689648000000, 6314396422081055, 6848946085578633, -3825453795569860, 62704, X'0828E8E588BD1233511252D078C74220');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB547BD99F0600A17C000002', NULL, 'राम', 'शर्मा', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, NULL, 936263742651949, NULL, 0, NULL, X'78FEE82A68E46F1658FBE327B7D8A8C5');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB547BD99F0600A17C000006', NULL, 'Ana', 'Match', '7 E Oak Ave', NULL, NULL, NULL, '02134', NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, NULL, 4837803018710297, 3201803479156948, 0, 2134, X'C7C73DF95942AEF0FAA0F38C97551D62');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29EB547BD99F0600A17C000008', 'quote''d', NULL, 'D"Or \ back', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689628500000, 1735689628500000, NULL, 5837813249579733, NULL, 0, NULL, X'F16F85B97CE1BA6BB77FFBC1D06C4812');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29F13079D090851BA795000000', 'n-0', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689630000000, 1735689630000000, NULL, 4243066037601499, NULL, 0, NULL, X'1501DCB66365831A5EC00A0455A77CE2');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29F70C7668B4A957BED3000000', 'n-1', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-20', 0, 1735689631500000, 1735689643500000, 1735689642000000, 4243066037601499, NULL, 0, NULL, X'49B599132CDD83EE3D9DCBFECDDD96B4');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F29FCE875A39A6743C421000000', 'n-2', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2024-12-03', 0, 1735689633000000, 1735689646500000, 1735689645000000, 4243066037601499, NULL, 0, NULL, X'68B8C410F57EF538B446DADAE4415667');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A02C47F88851A459A8C000000', 'n-3', 'Nora', 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689634500000, 1735696851000000, 1735689634500000, 8588908724807687, NULL, 0, NULL, X'8A347B8B1F9B62A3CE8C5D03B19995E4');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A08A07D019800BB0F8C000000', 'n-4', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689636000000, 1735689636000000, NULL, 4243066037601499, NULL, 0, NULL, X'91A2C60C783C3C96123798BD887ECADE');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A0E7C7E658BEA2E7B18000000', 'n-5', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689637500000, 1735689637500000, NULL, 4243066037601499, NULL, 0, NULL, X'BF3EFCC451E889B0EF021C8F6551F4E9');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A145871A68DC8717BE7000000', 'n-6', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689639000000, 1735689639000000, NULL, 4243066037601499, NULL, 0, NULL, X'DDD3C86FF332FB7DA3FBC7647DD59B82');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F2A1A3475BEB3311BE9BD000000', 'n-7', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689640500000, 1735689640500000, NULL, 4243066037601499, NULL, 0, NULL, X'C3A122EE68BC8B535D1CF6D11FBA6E81');
insert into clients (account_id, id, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at, updated_at, previous_updated_at, name_hash, street_hash, unit_hash, zip5, fingerprint) values (1, X'01941F9820387D0FABE02918E2000004', 'newest', NULL, 'Newcomer', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735696851000000, 1735696851000000, NULL, 7488325965787377, NULL, 0, NULL, X'C9688B8409E9B0CE5D4BCDE04560D56E');
insert into client_states (account_id, updated_at, id, superseded_at, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689634500000, X'01941F2A02C47F88851A459A8C000000', 1735696851000000, NULL, 'n-3', NULL, 'Numbered', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1735689634500000);
insert into client_states (account_id, updated_at, id, superseded_at, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, case_type, opened_on, settled_on, do_not_mail, created_at) values (1, 1735689648000000, X'01941F29EB547BD99F0600A17C000000', 1735696851000000, 1735689628500000, 'case-1', 'Zoë', 'O’Sample-Núñez', '12 North Elm Street', 'Apt 4
rear', 'Springfield', 'IL', '62704-1234', 'Zoe@example.com', '+12175550123', 'Auto accident', '2024-03-03', '2024-11-01', 0, 1735689628500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29EB547BD99F0600A17C000000', X'01941F29EB547BD99F0600A17C000001', '2024-11-01', '[]', 1735689628500000, 1735689628500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29F70C7668B4A957BED3000000', X'01941F2A2010732A9D022FFFDA000001', '2024-12-01', '[]', 1735689642000000, 1735689642000000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29F70C7668B4A957BED3000000', X'01941F2A25EC77AAAF6B028742000001', '2024-12-20', '[]', 1735689643500000, 1735689643500000);
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at) values (1, X'01941F29FCE875A39A6743C421000000', X'01941F2A2BC8708A83FE34BAC4000001', '2024-12-03', '["2024-12-02"]', 1735689645000000, 1735689646500000);
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F29EB547209BE3BC3497E000000', 1, 1735689628500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F29F13072F28A46039F89000000', 1, 1735689630000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F29F70C7D79A8FFC995D6000000', 1, 1735689631500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F29FCE8739B8C4C41A13F000000', 1, 1735689633000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A02C478A9BE421546F8000000', 1, 1735689634500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A08A07664A6E0EA12D2000000', 1, 1735689636000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A0E7C707D96F1F282AE000000', 1, 1735689637500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A14587A67A268C71EB9000000', 1, 1735689639000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A1A347D75B61869104B000000', 1, 1735689640500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A201077648726A72F8E000000', 1, 1735689642000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A25EC7A2C9C9D7BEBC4000000', 1, 1735689643500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A2BC8709A9481E459E8000000', 1, 1735689645000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A31A479A5B5201EB3C3000000', 1, 1735689646500000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A378078F3A7490DC152000000', 1, 1735689648000000, NULL);
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F2A3D5C7A339FF6DEFC6E000000', 1, 1735689649500000, NULL);
insert into commits (account_id, request_id, attempt, at, api_key_id) values (1, X'01941F9820387C1A87A4B96259000000', 1, 1735696851000000, X'01941F2987B87EC1AADFFFE1C9000000');
insert into saved_answers (account_id, idempotency_key, request_digest, status, body, saved_at) values (1, 'correction', 'PY1_P--Hi8VhsPlVN4awe9M2Q2IkAByxyO8y8iFyn8c', 200, '{"result":{"index":0,"status":"updated","id":"01941f29-fce8-75a3-9a67-43c421000000"}}', 1735689646500000);
insert into client_tombstones (account_id, identity, do_not_mail) values (1, X'2D46D2CFA2F062D4319600C01B4678B713E81F68630D2F88A6C16CCEB724260F', 1);
insert into client_tombstones (account_id, identity, do_not_mail) values (1, X'94C28AFC82EB663A4BDAEB057412E1D5AC1BA3E4B21B005C77A78D6660823A0D', 1);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C0751ABC7D07E612000000', 's-1', 'Pat', 'Sample1', '1 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', 'Corrected', NULL, NULL, '06037', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C0751ABC7D07E612000001', 's-2', 'Pat', 'Sample2', '2 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', NULL, NULL, NULL, '17031', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospects (id, source_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone, person_type, injury_severity, transported, crash_date, crash_time, crash_city, crash_state, crash_county, crash_county_fips, crash_report_number, manner_of_collision, vehicle_year, vehicle_make, vehicle_model, vehicle_towed, hit_and_run, crash_year, added_at) values (X'01941F29D9C0751ABC7D07E612000002', 's-3', 'Pat', 'Sample3', '3 Sample St', NULL, 'Springfield', 'IL', '62704', 'pat@sample.example', '+12175550123', 'driver', 'possible', 1, '2024-12-01', '08:15', NULL, NULL, NULL, '48113', 'R-1', NULL, 2019, 'Examplar', NULL, 0, 1, 2024, 1735689624000000);
insert into prospect_tombstones (source_id) values ('s-erased');
insert into prospect_clock (id, last_change_at) values (1, 1735689627000000);
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689601500000, X'01941F2981DC7EB5B89819EC50000000', 'First Operator', 'account.create', '01941f29-81dc-7e70-80ca-c3ccf5000000', X'01941F2981DC7D26A2154E6D76000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689603000000, X'01941F2987B87DDBA2377F9832000000', 'First Operator', 'key.create', '01941f29-87b8-7ec1-aadf-ffe1c9000000', X'01941F2987B875688A52D55A02000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689604500000, X'01941F298D9472C4B1F727D030000000', 'First Operator', 'account.create', '01941f29-8d94-7e91-a90e-0dcf65000000', X'01941F298D947DEE8DD60FF8D0000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689606000000, X'01941F299370750B860F24F84E000000', 'First Operator', 'key.create', '01941f29-9370-7585-859f-292bc4000000', X'01941F29937073EB8DB89FC512000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689607500000, X'01941F29994C7F2DA5CE6812A8000000', 'First Operator', 'account.set', '01941f29-8d94-7e91-a90e-0dcf65000000', X'01941F29994C7924913516A599000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689609000000, X'01941F299F287C63882DEACEC8000000', 'First Operator', 'account.create', '01941f29-9f28-7b26-bee2-6e3a9b000000', X'01941F299F287D85B846724062000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689610500000, X'01941F29A5047F5DA3DF2B9728000000', 'First Operator', 'key.create', '01941f29-a504-7450-a7a1-961f13000000', X'01941F29A504727A8D9A8D38C7000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689612000000, X'01941F29AAE07457A14AAB3358000000', 'First Operator', 'key.create', '01941f29-aae0-7eb1-aa40-d8f14b000000', X'01941F29AAE076B1BF1A6CB1B2000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689613500000, X'01941F29B0BC7755BC5A04824C000000', 'First Operator', 'key.revoke', '01941f29-aae0-7eb1-aa40-d8f14b000000', X'01941F29B0BC798E907BFBB34F000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689615000000, X'01941F29B6987F06BE463C87D0000000', 'First Operator', 'login.add', '01941f29-b698-7eec-98de-7bb281000000', X'01941F29B6987348A21A527709000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689616500000, X'01941F29BC747D1DA9E0C41911000000', 'First Operator', 'login.add', '01941f29-bc74-7dca-b614-1a733b000000', X'01941F29BC747BC6B471C189D7000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689618000000, X'01941F29C2507466AE94F51732000000', 'First Operator', 'county.grant', '01941f29-81dc-7e70-80ca-c3ccf5000000 06037', X'01941F29C2507B8D8103E3A8D9000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689619500000, X'01941F29C82C74C78738ECE23B000000', 'First Operator', 'county.grant', '01941f29-81dc-7e70-80ca-c3ccf5000000 17031', X'01941F29C82C72A2A4EE63BC82000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689621000000, X'01941F29CE0874F294DEB577B8000000', 'First Operator', 'county.grant', '01941f29-81dc-7e70-80ca-c3ccf5000000 48113', X'01941F29CE08785F840B865D70000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689622500000, X'01941F29D3E4725088DA800186000000', 'First Operator', 'county.revoke', '01941f29-81dc-7e70-80ca-c3ccf5000000 48113', X'01941F29D3E47A42A3892368F8000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689624000000, X'01941F29D9C07ADD9579F3474F000000', 'First Operator', 'prospect.import', '4', X'01941F29D9C07ED2B8245FDC8A000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689625500000, X'01941F29DF9C7CBF93F69F6EEA000000', 'First Operator', 'prospect.erase', '01941f29-d9c0-751a-bc7d-07e612000003', X'01941F29DF9C716EBE34E810D8000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689627000000, X'01941F29E57878C1A36BCA3291000000', 'First Operator', 'prospect.import', '1', X'01941F29E578761FA27B421325000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689648000000, X'01941F2A37807265930EBCD4B2000000', 'First Operator', 'client.mail_on', '01941f29-eb54-7bd9-9f06-00a17c000000', X'01941F2A378078F3A7490DC152000000');
insert into operator_log (at, id, actor, action, subject, request_id) values (1735689649500000, X'01941F2A3D5C7CED841A6C1073000000', 'First Operator', 'client.erase', '01941f29-eb54-7bd9-9f06-00a17c000004', X'01941F2A3D5C7A339FF6DEFC6E000000');
CREATE INDEX accounts_by_creation on accounts (created_at, public_id);
CREATE INDEX logins_by_account on logins (account_id, created_at, id);
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
  insert into client_states (account_id, updated_at, id, superseded_at, previous_updated_at, external_id, first_name, last_name, address_line1, address_line2, city, state, zip, email, phone,
    case_type, opened_on, settled_on, do_not_mail,
    created_at)
  values (old.account_id, old.updated_at, old.id, new.updated_at, old.previous_updated_at,
    old.external_id, old.first_name, old.last_name, old.address_line1, old.address_line2, old.city, old.state,
    old.zip, old.email, old.phone, old.case_type, old.opened_on, old.settled_on, old.do_not_mail, old.created_at);
end;
CREATE INDEX settlements_by_change on settlements (account_id, changed_at, id);
CREATE INDEX saved_answers_by_time on saved_answers (saved_at);
CREATE INDEX prospects_by_county on prospects (crash_county_fips, crash_year, added_at, id, crash_date);
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
