//! The layouts that case systems and address books export, with people who do not exist.

use super::file::TestFile;

struct Layout {
    file: &'static str,
    columns: &'static [&'static str],
}

const PERSON: [&str; 2] = ["First Name → first_name", "Last Name → last_name"];

const LAYOUTS: [Layout; 7] = [
    // Clio's template for contacts.
    Layout {
        file: "first_name,middle_name,last_name,company,business_street,business_city,business_state,\
               business_postal_code,business_country,business_phone,mobile_phone,email_address\n\
               Ana,,Specimenez,,12 Oak St,Springfield,IL,62704,US,,(217) 555-0134,ana@example.com\n",
        columns: &[
            "first_name → first_name",
            "last_name → last_name",
            "business_street → address_line1",
            "business_city → city",
            "business_state → state",
            "business_postal_code → zip",
            "business_phone → phone",
            "mobile_phone → phone",
            "email_address → email",
        ],
    },
    // Google Contacts.
    Layout {
        file: "First Name,Middle Name,Last Name,Organization Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,\
               Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,\
               Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,\
               Address 1 - Extended Address\n\
               Bob,,Sampleton,,,* myContacts,Home,bob@example.com,Mobile,617-555-0142,Home,\
               \"5 Demo Ave\nBoston, MA 02134\nUS\",5 Demo Ave,Boston,,MA,02134,US,\n",
        columns: &[
            PERSON[0],
            PERSON[1],
            "E-mail 1 - Value → email",
            "Phone 1 - Value → phone",
            "Address 1 - Street → address_line1",
            "Address 1 - City → city",
            "Address 1 - Region → state",
            "Address 1 - Postal Code → zip",
            "Address 1 - Extended Address → address_line2",
        ],
    },
    // MyCase.
    Layout {
        file: "First Name,Last Name,Home Street,Home Street 2,Home City,Home State,Home Postal Code,\
               Home Country/Region,Work Phone,Mobile Phone,E-mail Address,Birthday,:id,Cases\n\
               Dee,Exampleton,7 Trial Rd,Apt 4,Reno,NV,89501,United States,,775-555-0111,dee@example.com,,4711,Auto\n",
        columns: &[
            PERSON[0],
            PERSON[1],
            "Home Street → address_line1",
            "Home Street 2 → address_line2",
            "Home City → city",
            "Home State → state",
            "Home Postal Code → zip",
            "Work Phone → phone",
            "Mobile Phone → phone",
            "E-mail Address → email",
            ":id → external_id",
        ],
    },
    // Filevine.
    Layout {
        file: "Project ID,Client First Name,Client Last Name,Client Address Line 1,Client Address City,\
               Client Address State,Client Address Postal Code,Incident Date,Phase\n\
               990001,Carl,Demowitz,9 Test St,Holtsville,NY,00501,1/2/2026,Discovery\n",
        columns: &[
            "Project ID → external_id",
            "Client First Name → first_name",
            "Client Last Name → last_name",
            "Client Address Line 1 → address_line1",
            "Client Address City → city",
            "Client Address State → state",
            "Client Address Postal Code → zip",
        ],
    },
    // Litify.
    Layout {
        file: "litify_pm__First_Name__c,litify_pm__Last_Name__c,PersonMailingStreet,PersonMailingCity,\
               PersonMailingState,PersonMailingPostalCode,PersonMobilePhone,PersonEmail,litify_pm__Open_Date__c\n\
               Eve,Placeholder,3 Mock Ln,Austin,TX,73301,512-555-0100,eve@example.com,2026-01-05\n",
        columns: &[
            "litify_pm__First_Name__c → first_name",
            "litify_pm__Last_Name__c → last_name",
            "PersonMailingStreet → address_line1",
            "PersonMailingCity → city",
            "PersonMailingState → state",
            "PersonMailingPostalCode → zip",
            "PersonMobilePhone → phone",
            "PersonEmail → email",
            "litify_pm__Open_Date__c → opened_on",
        ],
    },
    // SmartAdvocate.
    Layout {
        file: "Case Number,Plaintiff First Name,Plaintiff Last Name,Plaintiff Address 1,Plaintiff City,\
               Plaintiff State,Plaintiff Zip,Plaintiff Cell,Case Type,Date of Incident,Case Status\n\
               SA-77,Flo,Fictova,8 Sham Ct,Tampa,FL,33601,813-555-0133,Premises,12/1/2025,Open\n",
        columns: &[
            "Case Number → external_id",
            "Plaintiff First Name → first_name",
            "Plaintiff Last Name → last_name",
            "Plaintiff Address 1 → address_line1",
            "Plaintiff City → city",
            "Plaintiff State → state",
            "Plaintiff Zip → zip",
            "Plaintiff Cell → phone",
            "Case Type → case_type",
        ],
    },
    // Lead Docket.
    Layout {
        file: "Lead ID,First Name,Last Name,Mobile Phone,Home Phone,Email,Address1,Address2,City,State,Zip,Case Type,\
               Incident Date,Status,Sub Status\n\
               31,Gus,Pretendorf,303-555-0177,,gus@example.com,4 Feign Way,#2,Denver,CO,80202,Auto,2025-11-30,Open,New\n",
        columns: &[
            "Lead ID → external_id",
            PERSON[0],
            PERSON[1],
            "Mobile Phone → phone",
            "Home Phone → phone",
            "Email → email",
            "Address1 → address_line1",
            "Address2 → address_line2",
            "City → city",
            "State → state",
            "Zip → zip",
            "Case Type → case_type",
        ],
    },
];

#[test]
fn the_exports_of_case_systems_are_read_without_a_map() {
    for Layout { file, columns } in LAYOUTS {
        let file = TestFile::new("a.csv", file);
        let report = file.report(&[]);
        assert_eq!(report.used_columns(), columns, "{columns:?}");
        assert_eq!((report.status, report.count("rows")), (Some(0), 1), "{columns:?}");
        // People of one name can be told apart: no `--map` is proposed.
        let printed = String::from_utf8(file.check(&[]).stdout).expect("UTF-8");
        assert!(!printed.contains("cannot be told apart"), "{printed}");
    }
}
