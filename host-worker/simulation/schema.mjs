// The tables that the simulation has: those of the directory, and one of clients. A whole schema for each object would be
// most of the work.
import { readFileSync, readdirSync } from "node:fs";
import { Database } from "./database.mjs";

const TABLES = "accounts account_imports copied_changes logins sign_in_links sessions passkeys api_keys key_secrets county_grants client_aliases operator_log prospects prospect_clock prospect_databases prospect_lock prospect_tombstones stale_read";

const folder = new URL("../../store-sql/migrations/", import.meta.url);
const text = readdirSync(folder).sort().map((name) => readFileSync(new URL(name, folder), "utf8")).join("");
const statement = new RegExp(`^create (table|(unique )?index \\w+ on) (${TABLES.replaceAll(" ", "|")}) [^;]*;`, "gm");

export const schema = text.replaceAll(/^ *--.*$/gm, "").match(statement).join("\n");

const directory = Database.ofD1();
directory.exec(schema);
directory.exec("insert into key_secrets (check_value) values ('check')");
directory.exec("insert into prospect_clock (id, last_change_at, last_removal_at) values (1, 0, 0)");

/** A directory without accounts, as bytes of a database. */
export const EMPTY_DIRECTORY = directory.bytes();
