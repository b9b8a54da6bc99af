//! All paths of the console, their methods, and who may use each, in one table.

use http::Method;
use matterbook_core::account::Role;

use crate::download::FileKind;

/// What a path and a method lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Overview,
    SignInPage,
    SignInWithPasskey,
    SignOut,
    LinkPage,
    UseLink,
    Clients,
    ClientsFile(FileKind),
    Client,
    LettersOn,
    Change,
    UndoChange,
    /// A request of the page that reads a file, in JSON.
    Import(ImportEndpoint),

    Imports,
    Review,
    DecideReview,
    Similar,
    DecideSimilar,
    Prospects,
    ProspectsFile(FileKind),
    Keys,
    CreateKey,
    RevokeKey,
    People,
    AddPerson,
    SetRole,
    MakeLink,
    RemovePerson,
    SignOutPerson,
    PersonPasskeys,
    RemovePersonPasskey,
    Account,
    Passkeys,
    AddPasskey,
    RenamePasskey,
    RemovePasskey,
    SignOutEverywhere,
    Activity,
    Help,
    File,
}

/// What the page that reads a file asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportEndpoint {
    Begin,
    Mappings,
    Preview,
    Show,
    Batch,
    End,
}

/// Who may use an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody, signed in or not.
    Everybody,
    /// Every login.
    SignedIn,
    /// Owners and teammates. A view-only login is refused.
    Editors,
    /// Owners. For every other login there is nothing at the path.
    Owners,
}

impl Audience {
    /// Whether a login of this role belongs to it.
    #[must_use]
    pub const fn admits(self, role: Role) -> bool {
        match self {
            Self::Everybody | Self::SignedIn => true,
            Self::Editors => matches!(role, Role::Owner | Role::Teammate),
            Self::Owners => matches!(role, Role::Owner),
        }
    }
}

/// One path, and what each method of it leads to.
pub(crate) struct Route {
    pub(crate) template: &'static str,
    methods: &'static [(Method, Endpoint, Audience)],
}

use Audience::{Editors, Everybody, Owners, SignedIn};

static ROUTES: &[Route] = &[
    Route { template: "/app", methods: &[(Method::GET, Endpoint::Overview, SignedIn)] },
    Route {
        template: "/app/sign-in",
        methods: &[
            (Method::GET, Endpoint::SignInPage, Everybody),
            (Method::POST, Endpoint::SignInWithPasskey, Everybody),
        ],
    },
    Route { template: "/app/sign-out", methods: &[(Method::POST, Endpoint::SignOut, SignedIn)] },
    Route {
        template: "/app/link/{token}",
        methods: &[(Method::GET, Endpoint::LinkPage, Everybody), (Method::POST, Endpoint::UseLink, Everybody)],
    },
    Route { template: "/app/clients", methods: &[(Method::GET, Endpoint::Clients, SignedIn)] },
    Route { template: "/app/clients.csv", methods: &[(Method::POST, Endpoint::ClientsFile(FileKind::Csv), SignedIn)] },
    Route {
        template: "/app/clients.xlsx",
        methods: &[(Method::POST, Endpoint::ClientsFile(FileKind::Xlsx), SignedIn)],
    },
    Route { template: "/app/clients/{client}", methods: &[(Method::GET, Endpoint::Client, SignedIn)] },
    Route { template: "/app/clients/{client}/letters-on", methods: &[(Method::POST, Endpoint::LettersOn, Editors)] },
    Route { template: "/app/changes/{change}", methods: &[(Method::GET, Endpoint::Change, Editors)] },
    Route { template: "/app/changes/{change}/undo", methods: &[(Method::POST, Endpoint::UndoChange, Editors)] },
    Route {
        template: "/app/imports/new",
        methods: &[(Method::POST, Endpoint::Import(ImportEndpoint::Begin), Editors)],
    },
    Route {
        template: "/app/imports/mappings",
        methods: &[(Method::GET, Endpoint::Import(ImportEndpoint::Mappings), SignedIn)],
    },
    Route {
        template: "/app/imports/preview",
        methods: &[(Method::POST, Endpoint::Import(ImportEndpoint::Preview), Editors)],
    },
    Route {
        template: "/app/imports/{import}",
        methods: &[(Method::GET, Endpoint::Import(ImportEndpoint::Show), SignedIn)],
    },
    Route {
        template: "/app/imports/{import}/batch",
        methods: &[(Method::POST, Endpoint::Import(ImportEndpoint::Batch), Editors)],
    },
    Route {
        template: "/app/imports/{import}/end",
        methods: &[(Method::POST, Endpoint::Import(ImportEndpoint::End), Editors)],
    },
    Route { template: "/app/imports", methods: &[(Method::GET, Endpoint::Imports, SignedIn)] },
    Route { template: "/app/review", methods: &[(Method::GET, Endpoint::Review, SignedIn)] },
    Route {
        template: "/app/review/similar",
        methods: &[(Method::GET, Endpoint::Similar, SignedIn), (Method::POST, Endpoint::DecideSimilar, Editors)],
    },
    Route { template: "/app/review/{item}", methods: &[(Method::POST, Endpoint::DecideReview, Editors)] },
    Route { template: "/app/prospects", methods: &[(Method::GET, Endpoint::Prospects, SignedIn)] },
    Route {
        template: "/app/prospects.csv",
        methods: &[(Method::POST, Endpoint::ProspectsFile(FileKind::Csv), SignedIn)],
    },
    Route {
        template: "/app/prospects.xlsx",
        methods: &[(Method::POST, Endpoint::ProspectsFile(FileKind::Xlsx), SignedIn)],
    },
    Route {
        template: "/app/settings/keys",
        methods: &[(Method::GET, Endpoint::Keys, Owners), (Method::POST, Endpoint::CreateKey, Owners)],
    },
    Route { template: "/app/settings/keys/{key}/revoke", methods: &[(Method::POST, Endpoint::RevokeKey, Owners)] },
    Route {
        template: "/app/settings/people",
        methods: &[(Method::GET, Endpoint::People, Owners), (Method::POST, Endpoint::AddPerson, Owners)],
    },
    Route { template: "/app/settings/people/{login}/role", methods: &[(Method::POST, Endpoint::SetRole, Owners)] },
    Route { template: "/app/settings/people/{login}/link", methods: &[(Method::POST, Endpoint::MakeLink, Owners)] },
    Route {
        template: "/app/settings/people/{login}/remove",
        methods: &[(Method::POST, Endpoint::RemovePerson, Owners)],
    },
    Route {
        template: "/app/settings/people/{login}/sign-out",
        methods: &[(Method::POST, Endpoint::SignOutPerson, Owners)],
    },
    Route {
        template: "/app/settings/people/{login}/passkeys",
        methods: &[
            (Method::GET, Endpoint::PersonPasskeys, Owners),
            (Method::POST, Endpoint::RemovePersonPasskey, Owners),
        ],
    },
    Route { template: "/app/settings/account", methods: &[(Method::GET, Endpoint::Account, Owners)] },
    Route {
        template: "/app/settings/passkeys",
        methods: &[(Method::GET, Endpoint::Passkeys, SignedIn), (Method::POST, Endpoint::AddPasskey, SignedIn)],
    },
    Route {
        template: "/app/settings/passkeys/{passkey}/rename",
        methods: &[(Method::POST, Endpoint::RenamePasskey, SignedIn)],
    },
    Route {
        template: "/app/settings/passkeys/{passkey}/remove",
        methods: &[(Method::POST, Endpoint::RemovePasskey, SignedIn)],
    },
    Route {
        template: "/app/settings/sign-out-everywhere",
        methods: &[(Method::POST, Endpoint::SignOutEverywhere, SignedIn)],
    },
    Route { template: "/app/activity", methods: &[(Method::GET, Endpoint::Activity, SignedIn)] },
    Route { template: "/app/help", methods: &[(Method::GET, Endpoint::Help, Everybody)] },
    Route { template: "/app/files/{file}", methods: &[(Method::GET, Endpoint::File, Everybody)] },
];

/// Whether a path belongs to the console.
pub(crate) fn is_below(path: &str) -> bool {
    path.strip_prefix("/app").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The route of a path, and the segment that matches the braces of its template.
pub(crate) fn find(path: &str) -> Option<(&'static Route, &str)> {
    ROUTES.iter().find_map(|route| Some((route, argument(route.template, path)?)))
}

/// Every endpoint of the console: its method, the template of its path and who may use it. Each GET has a HEAD, too.
/// Requests are routed by the same table.
///
/// ```
/// use matterbook_console::{Audience, endpoints};
/// let keys = endpoints().find(|(method, path, _)| *method == "POST" && *path == "/app/settings/keys");
/// assert_eq!(keys.map(|(_, _, audience)| audience), Some(Audience::Owners));
/// ```
pub fn endpoints() -> impl Iterator<Item = (&'static Method, &'static str, Audience)> {
    ROUTES
        .iter()
        .flat_map(|route| route.methods.iter().map(|(method, _, audience)| (method, route.template, *audience)))
}

impl Route {
    /// What a method leads to. HEAD is routed like GET.
    pub(crate) fn endpoint(&self, method: &Method) -> Option<(Endpoint, Audience)> {
        let wanted = if *method == Method::HEAD { &Method::GET } else { method };
        self.methods.iter().find(|(method, ..)| method == wanted).map(|(_, endpoint, audience)| (*endpoint, *audience))
    }

    /// The methods of the path, for the header `Allow`.
    pub(crate) fn allow(&self) -> String {
        let name = |method: &'static Method| if method == Method::GET { "GET, HEAD" } else { method.as_str() };
        self.methods.iter().map(|(method, ..)| name(method)).collect::<Vec<_>>().join(", ")
    }
}

/// The segment that matches the braces of a template; `None` if the path does not match.
fn argument<'p>(template: &str, path: &'p str) -> Option<&'p str> {
    let mut found = "";
    let mut segments = path.split('/');
    for expected in template.split('/') {
        let segment = segments.next()?;
        if expected.starts_with('{') {
            found = segment;
        } else if segment != expected {
            return None;
        }
    }
    segments.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_by_its_segments() {
        let check = |path: &str, method: Method, expected: Option<(Endpoint, &str)>| {
            let found = find(path).and_then(|(route, argument)| Some((route.endpoint(&method)?.0, argument)));
            assert_eq!(found, expected, "{method} {path}");
        };
        check("/app", Method::GET, Some((Endpoint::Overview, "")));
        check("/app", Method::HEAD, Some((Endpoint::Overview, "")));
        check("/app", Method::POST, None);
        check("/app/", Method::GET, None);
        check("/app/clients.csv", Method::POST, Some((Endpoint::ClientsFile(FileKind::Csv), "")));
        check("/app/clients/7", Method::GET, Some((Endpoint::Client, "7")));
        check("/app/clients/7/letters-on", Method::POST, Some((Endpoint::LettersOn, "7")));
        check("/app/clients/7/more", Method::GET, None);
        check("/application", Method::GET, None);
    }

    #[test]
    fn only_what_is_below_app_belongs_to_the_console() {
        for path in ["/app", "/app/", "/app/x/y"] {
            assert!(is_below(path), "{path}");
        }
        for path in ["/", "/apple", "/api/v1/me", "/APP"] {
            assert!(!is_below(path), "{path}");
        }
    }

    #[test]
    fn only_owners_use_keys_people_and_account() {
        for (method, path, audience) in endpoints() {
            let is_private =
                ["keys", "people", "account"].iter().any(|part| path.contains(&format!("settings/{part}")));
            assert_eq!(audience == Owners, is_private, "{method} {path}");
        }
    }
}
