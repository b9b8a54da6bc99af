CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  api_enabled INTEGER NOT NULL DEFAULT 0,
  suspended INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  revoked_at TEXT
);

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  external_id TEXT,
  first_name TEXT,
  last_name TEXT,
  address_line1 TEXT,
  address_line2 TEXT,
  city TEXT,
  state TEXT,
  zip TEXT,
  email TEXT,
  phone TEXT,
  case_type TEXT,
  opened_on TEXT,
  settled_on TEXT,
  do_not_mail INTEGER NOT NULL DEFAULT 0,
  -- Name, street and five-digit ZIP in lower case; NULL while one of them is missing.
  match_key TEXT GENERATED ALWAYS AS (
    lower(first_name || '|' || last_name || '|' || address_line1 || '|' || substr(zip, 1, 5))
  ) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE UNIQUE INDEX clients_external_id ON clients (account_id, external_id);
CREATE INDEX clients_match_key ON clients (account_id, match_key);
CREATE INDEX clients_updated_at ON clients (account_id, updated_at, id);
