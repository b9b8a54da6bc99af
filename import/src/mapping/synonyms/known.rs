//! Columns of exports that are known but are not fields of a client (rule F10).

/// Known headers, and why they are not used by default.
pub(super) const KNOWN: [(&[&str], &str); 12] = [
    (&["matterbookrow", "matterbookstatus", "matterbookreason"], "added by check or push"),
    (
        &[
            "doi",
            "dateofincident",
            "dateofinjury",
            "incidentdate",
            "injurydate",
            "dol",
            "dateofloss",
            "lossdate",
            "doa",
            "dateofaccident",
            "accidentdate",
            "crashdate",
        ],
        "the day of the incident, which is neither the day the case opened nor the day it settled",
    ),
    (
        &[
            "name",
            "fullname",
            "wholename",
            "displayname",
            "nameofclient",
            "clientname",
            "lastfirst",
            "lastnamefirstname",
        ],
        "whole names; where one ends and the other begins is not guessed (=last_comma_first splits \"Last, First\", \
         =first_last splits \"First Last\")",
    ),
    (
        &["citystatezip", "citystzip", "citystate", "csz", "citystatepostalcode", "mailingcitystatezip"],
        "city, state and ZIP in one (=city_state_zip splits \"Springfield, IL 62704\")",
    ),
    (
        &[
            "fulladdress",
            "wholeaddress",
            "completeaddress",
            "formattedaddress",
            "address1formatted",
            "addressformatted",
            "fullmailingaddress",
            "mailingaddressfull",
            "addressblock",
        ],
        "a whole address in one (=whole_address splits \"12 Oak St, Springfield, IL 62704\")",
    ),
    (
        &["middlename", "middle", "mname", "middleinitial", "mi", "minitial"],
        "a middle name is part of first_name: put it into that column if people are told apart by it",
    ),
    (
        &["suffix", "namesuffix", "suffixname", "generation"],
        "a suffix is part of last_name: put \"Jr\" into that column, or father and son may be taken for one",
    ),
    (
        &["zip4", "plus4", "zipplus4", "zip9", "zipext", "zipextension"],
        "it may hold the last four digits only; =zip takes it as the whole ZIP",
    ),
    (
        &[
            "dateclosed",
            "closeddate",
            "closedate",
            "closed",
            "closedon",
            "caseclosed",
            "caseclosedate",
            "datecaseclosed",
        ],
        "a closed case need not have settled, and a settled date sends a letter",
    ),
    (
        &["mailok", "oktomail", "maymail", "mailable", "sendmail", "canmail", "optin", "optedin", "mailoptin"],
        "it says the opposite of do_not_mail",
    ),
    (&["dob", "dateofbirth", "birthdate", "birthday", "ssn", "socialsecuritynumber"], "not kept"),
    (&["fax", "faxnumber", "faxno", "homefax", "workfax", "businessfax"], "a fax is no phone"),
];
