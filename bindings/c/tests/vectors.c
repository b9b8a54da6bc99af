/* Holds the C library to the shared vectors: vectors LINES
 *
 * LINES is what vectors.py writes. The program prints each case that has another result, and ends 0 if there is none.
 */
#include "matterbook_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 16, PARTS = 64 };

static size_t failures = 0;

static DiplomatStringView view(const char *text) {
  return (DiplomatStringView){text, strlen(text)};
}

static bool equals(DiplomatStringView found, const char *expected) {
  return found.len == strlen(expected) && memcmp(found.data, expected, found.len) == 0;
}

static void fail(const char *id, DiplomatStringView found) {
  printf("%s: found %.*s\n", id, (int)found.len, found.data);
  failures += 1;
}

/* Turns %XX into bytes, in place. No part of a line holds a NUL. */
static void unescape(char *part) {
  char *end = part;
  for (const char *at = part; *at != '\0'; ++end) {
    if (*at == '%') {
      const char digits[] = {at[1], at[2], '\0'};
      *end = (char)strtol(digits, NULL, 16);
      at += 3;
    } else {
      *end = *at++;
    }
  }
  *end = '\0';
}

static MatterbookValue *value_of(const char *field, const char *token) {
  MatterbookField_from_name_result found = MatterbookField_from_name(view(field));
  if (!found.is_ok) {
    fprintf(stderr, "there is no field %s\n", field);
    exit(2);
  }
  return MatterbookValue_of_json(found.ok, view(token));
}

/* Some kinds are more exact than the words of the vectors. */
static bool is_kind(const MatterbookValue *value, const char *word) {
  MatterbookValue_problem_result kind = MatterbookValue_problem(value);
  if (!kind.is_ok || MatterbookValue_message(value).len == 0) return false;
  return equals(MatterbookValue_problem_name(value), word) || kind.ok == MatterbookProblemKind_ControlCharacter ||
         kind.ok == MatterbookProblemKind_InvalidUnicode || kind.ok == MatterbookProblemKind_TwoNumbers;
}

static void normalize(char **parts) {
  const char *id = parts[1], *status = parts[4], *expected = parts[5];
  MatterbookValue *value = value_of(parts[2], parts[3]);
  bool is_expected = false;
  switch (MatterbookValue_status(value)) {
    case MatterbookStatus_Stored:
      is_expected = strcmp(status, "stored") == 0 && equals(MatterbookValue_text(value), expected) &&
                    MatterbookValue_message(value).len == 0 && !MatterbookValue_problem(value).is_ok;
      break;
    case MatterbookStatus_Blank:
      is_expected = strcmp(status, "blank") == 0 && MatterbookValue_text(value).len == 0;
      break;
    case MatterbookStatus_Refused:
      is_expected = strcmp(status, "refused") == 0 && is_kind(value, expected) && MatterbookValue_text(value).len == 0;
      break;
  }
  if (!is_expected) fail(id, MatterbookValue_status(value) == MatterbookStatus_Refused ? MatterbookValue_message(value) : MatterbookValue_text(value));
  MatterbookValue_destroy(value);
}

/* Reads one record and returns the parts after it. */
static char **read_key(char **parts, MatterbookMatchKey **key) {
  MatterbookRecord *record = MatterbookRecord_create();
  int count = atoi(*parts++);
  for (int member = 0; member < count; ++member, parts += 2) {
    MatterbookValue *value = value_of(parts[0], parts[1]);
    MatterbookRecord_put(record, value);
    MatterbookValue_destroy(value);
  }
  *key = MatterbookRecord_match_key(record);
  MatterbookRecord_destroy(record);
  return parts;
}

static void match(char **parts) {
  MatterbookMatchKey *one, *other;
  read_key(read_key(parts + 3, &one), &other);
  bool expected = strcmp(parts[2], "same") == 0;
  if (MatterbookMatchKey_is_same_person(one, other) != expected || MatterbookMatchKey_is_same_person(other, one) != expected) {
    fail(parts[1], MatterbookMatchKey_street(one));
  }
  MatterbookMatchKey_destroy(one);
  MatterbookMatchKey_destroy(other);
}

int main(int count, char **arguments) {
  FILE *lines = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (lines == NULL) {
    fprintf(stderr, "usage: vectors LINES\n");
    return 2;
  }
  static char line[LINE_BYTES];
  size_t cases = 0;
  while (fgets(line, LINE_BYTES, lines) != NULL) {
    char *parts[PARTS] = {0};
    char *rest = line;
    line[strcspn(line, "\n")] = '\0';
    for (size_t part = 0; part < PARTS && rest != NULL; ++part) {
      parts[part] = rest;
      rest = strchr(rest, '\t');
      if (rest != NULL) *rest++ = '\0';
      unescape(parts[part]);
    }
    if (parts[0][0] == 'N') {
      normalize(parts);
    } else {
      match(parts);
    }
    cases += 1;
  }
  fclose(lines);
  printf("%zu cases, %zu with another result\n", cases, failures);
  return failures == 0 && cases > 0 ? 0 : 1;
}
