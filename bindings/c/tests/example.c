/* The example of the README, and what it promises. */
#include "matterbook_rules.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) return fprintf(stderr, "line %d: not %s\n", __LINE__, #condition), 1

static DiplomatStringView view(const char *text) {
  return (DiplomatStringView){text, strlen(text)};
}

static bool equals(DiplomatStringView found, const char *expected) {
  return found.len == strlen(expected) && memcmp(found.data, expected, found.len) == 0;
}

static MatterbookMatchKey *key_of(const char *first_name, const char *last_name, const char *line1, const char *zip) {
  const char *const texts[] = {first_name, last_name, line1, zip};
  const MatterbookField fields[] = {MatterbookField_FirstName, MatterbookField_LastName, MatterbookField_AddressLine1,
                                    MatterbookField_Zip};
  MatterbookRecord *record = MatterbookRecord_create();
  for (size_t field = 0; field < 4; ++field) {
    MatterbookValue *value = MatterbookValue_of_text(fields[field], view(texts[field]));
    MatterbookRecord_put(record, value);
    MatterbookValue_destroy(value);
  }
  MatterbookMatchKey *key = MatterbookRecord_match_key(record);
  MatterbookRecord_destroy(record);
  return key;
}

int main(void) {
  /* A value that is stored. */
  MatterbookValue *value = MatterbookValue_of_integer(MatterbookField_Zip, 2134);
  CHECK(MatterbookValue_status(value) == MatterbookStatus_Stored);
  CHECK(equals(MatterbookValue_text(value), "02134"));
  MatterbookValue_destroy(value);

  /* A blank one. */
  value = MatterbookValue_of_text(MatterbookField_City, view(" \t "));
  CHECK(MatterbookValue_status(value) == MatterbookStatus_Blank);
  MatterbookValue_destroy(value);

  /* An empty text may be a null pointer. */
  value = MatterbookValue_of_text(MatterbookField_City, (DiplomatStringView){NULL, 0});
  CHECK(MatterbookValue_status(value) == MatterbookStatus_Blank);
  MatterbookValue_destroy(value);

  /* A refused one. */
  value = MatterbookValue_of_text(MatterbookField_Zip, view("627041"));
  CHECK(MatterbookValue_status(value) == MatterbookStatus_Refused);
  CHECK(MatterbookValue_problem(value).is_ok && MatterbookValue_problem(value).ok == MatterbookProblemKind_ZipFormat);
  CHECK(equals(MatterbookValue_problem_name(value), "zip_format"));
  CHECK(equals(MatterbookValue_message(value), "must have 5 or 9 digits, but has 6"));
  MatterbookValue_destroy(value);

  /* Bytes that are not UTF-8. */
  value = MatterbookValue_of_text(MatterbookField_LastName, view("Mu\xf1oz"));
  CHECK(MatterbookValue_problem(value).ok == MatterbookProblemKind_InvalidUnicode);
  MatterbookValue_destroy(value);

  /* A flag. */
  value = MatterbookValue_of_boolean(MatterbookField_DoNotMail, true);
  CHECK(equals(MatterbookValue_text(value), "true"));
  MatterbookValue_destroy(value);

  /* A field by its name. */
  CHECK(MatterbookField_from_name(view("opened_on")).ok == MatterbookField_OpenedOn);
  CHECK(!MatterbookField_from_name(view("ZIP")).is_ok);
  CHECK(equals(MatterbookField_name(MatterbookField_DoNotMail), "do_not_mail"));

  /* Two records of one person. */
  MatterbookMatchKey *one = key_of("José", "O'Neil", "12 North Oak Street Apt 4", "02134-1001");
  MatterbookMatchKey *other = key_of("JOSE", "ONeil", "12 N. Oak St #4", "2134");
  CHECK(MatterbookMatchKey_is_same_person(one, other));
  CHECK(equals(MatterbookMatchKey_street(one), "12 n oak st"));
  CHECK(equals(MatterbookMatchKey_unit(one), "4"));
  CHECK(equals(MatterbookMatchKey_zip5(one), "02134"));
  MatterbookMatchKey_destroy(one);
  MatterbookMatchKey_destroy(other);

  /* A folded text in a buffer of the program's. One that is too small is told. */
  char buffer[64];
  DiplomatWrite folded = diplomat_simple_write(buffer, sizeof buffer);
  MatterbookMatchKey_fold_street(view("77 North Main Street, Apartment #4"), &folded);
  CHECK(!folded.grow_failed && strcmp(buffer, "77 n main st apt 4") == 0);
  DiplomatWrite small = diplomat_simple_write(buffer, 4);
  MatterbookMatchKey_fold_name(view("O'Brien"), &small);
  CHECK(small.grow_failed);

  MatterbookStreetParts *parts = MatterbookStreetParts_of(view("600 Canal Street, Floor 4"));
  CHECK(equals(MatterbookStreetParts_street(parts), "600 canal st"));
  CHECK(equals(MatterbookStreetParts_unit(parts), "fl 4"));
  MatterbookStreetParts_destroy(parts);

  /* An address on an envelope. */
  MatterbookRecord *record = MatterbookRecord_create();
  value = MatterbookValue_of_text(MatterbookField_AddressLine1, view("600 North Canal Street"));
  MatterbookRecord_put(record, value);
  MatterbookValue_destroy(value);
  MatterbookMailingAddress *address = MatterbookMailingAddress_of(record);
  CHECK(equals(MatterbookMailingAddress_delivery_line(address), "600 N CANAL ST"));
  CHECK(MatterbookMailingAddress_attention_line(address).len == 0);
  CHECK(MatterbookMailingAddress_last_line(address).len == 0);
  MatterbookMailingAddress_destroy(address);

  /* A refused value takes the place of an earlier one. */
  value = MatterbookValue_of_integer(MatterbookField_AddressLine1, 600);
  MatterbookRecord_put(record, value);
  MatterbookValue_destroy(value);
  one = MatterbookRecord_match_key(record);
  CHECK(MatterbookMatchKey_street(one).len == 0);
  MatterbookMatchKey_destroy(one);
  MatterbookRecord_destroy(record);

  /* A column of an export. */
  CHECK(MatterbookField_of_column(view("Given Name")).ok == MatterbookField_FirstName);
  CHECK(!MatterbookField_of_column(view("Notes")).is_ok);
  puts("the C example works");
  return 0;
}
