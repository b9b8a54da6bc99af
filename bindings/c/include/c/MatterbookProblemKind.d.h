#ifndef MatterbookProblemKind_D_H
#define MatterbookProblemKind_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* The kinds of problems. Later versions may add kinds. Such a one is `Other` here; its name is known. */
typedef enum MatterbookProblemKind {
  /* A kind of a later version. */
  MatterbookProblemKind_Other = 0,
  /* A control character in a text. */
  MatterbookProblemKind_ControlCharacter = 1,
  /* No date in a known form. */
  MatterbookProblemKind_DateFormat = 2,
  /* No email address. */
  MatterbookProblemKind_EmailFormat = 3,
  /* No valid Unicode. */
  MatterbookProblemKind_InvalidUnicode = 4,
  /* A date that the calendar does not have, or that is out of range. */
  MatterbookProblemKind_NoSuchDate = 5,
  /* Nothing of what the field allows. */
  MatterbookProblemKind_NotAllowed = 6,
  /* No phone number, such as too few digits. */
  MatterbookProblemKind_PhoneDigits = 7,
  /* A required value is missing. */
  MatterbookProblemKind_Required = 8,
  /* More characters than the field takes. */
  MatterbookProblemKind_TooLong = 9,
  /* Two phone numbers in one value. */
  MatterbookProblemKind_TwoNumbers = 10,
  /* No US state. */
  MatterbookProblemKind_UnknownState = 11,
  /* Another type than the field takes. */
  MatterbookProblemKind_WrongType = 12,
  /* Neither a yes nor a no. */
  MatterbookProblemKind_YesNo = 13,
  /* No ZIP code. */
  MatterbookProblemKind_ZipFormat = 14,
} MatterbookProblemKind;

typedef struct MatterbookProblemKind_option {union { MatterbookProblemKind ok; }; bool is_ok; } MatterbookProblemKind_option;

#endif // MatterbookProblemKind_D_H
