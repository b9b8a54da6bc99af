//! The commands that the demo suggests; each can be copied as printed.

use std::path::Path;

use super::Demo;

/// A typical client list: spreadsheet numbers, spelled-out states, one duplicate, and one invalid row.
const MESSY_CLIENTS: &str = r#"{"clients":[
    {"external_id": 1001, "first_name": " Ana ", "last_name": "Specimenez", "address_line1": "12 North Main Street",
     "city": "Springfield", "state": "illinois", "zip": "62704.0", "phone": "(217) 555-0134 ext. 9", "opened_on": "Jan 5, 2026"},
    {"first_name": "ANA", "last_name": "Specimenez", "address_line1": "12 N. Main St.", "zip": "62704-1234", "email": "Ana@EXAMPLE.com"},
    {"first_name": "Bob", "last_name": "Sampleton", "address_line1": "5 Demo Ave", "state": "Mass.", "zip": 2134, "do_not_mail": "yes"},
    {"first_name": "Carl", "last_name": "Demowitz", "state": "Narnia", "zip": "123"}
  ]}"#;

impl Demo {
    /// The text to print once the service listens at `base`.
    pub(in crate::cli) fn introduction(&self, base: &str, public_url: &str, database: &Path) -> String {
        let database = database.display();
        let origin = base.strip_suffix("/api/v1").unwrap_or(base);
        let Self::Fresh { key, link } = self else {
            return format!(
                "\n{database} has accounts already, so nothing is added to it. Try the API in a browser, with a key:\n\n  \
                 {origin}/docs\n\n\
                 A key is shown only when it is made. These commands make another one:\n\n  \
                 matterbook account list --db {database}\n  \
                 matterbook key create --db {database} --account ID\n\n\
                 A person signs in to the console with a link, which works once:\n\n  \
                 matterbook login list --db {database} --account ID\n  \
                 matterbook login link --db {database} LOGIN\n\n"
            );
        };
        let console = if link.is_empty() {
            String::new()
        } else {
            format!(
                "Open the firm's console in a browser. The link signs its owner in, once, within 24 hours:\n\n  {public_url}{link}\n\n"
            )
        };
        let authorization = format!("-H 'Authorization: Bearer {key}'");
        format!(
            "
One account is ready, with five counties and 300 made-up prospects. Its key:

  {key}

{console}Post a messy list of clients, and read what became of each:

  curl -s {base}/clients {authorization} -H 'Content-Type: application/json' -d '{MESSY_CLIENTS}'

Settle a case:

  curl -s {base}/cases/settled {authorization} -H 'Content-Type: application/json' -d '{{\"external_id\": 1001, \"settled_on\": \"01/31/2026\"}}'

Look around:

  curl -s {base}/me {authorization}
  curl -s '{base}/prospects?limit=2' {authorization}
  curl -s '{base}/prospects?order=newest&limit=2' {authorization}
  curl -s {base}/clients {authorization}    # a client is listed a minute after it was saved

Or try each of them in a browser, with the key:

  {origin}/docs

Stop with Ctrl-C. The next start uses {database} again.

"
        )
    }
}
