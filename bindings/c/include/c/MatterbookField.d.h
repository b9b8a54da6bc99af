#ifndef MatterbookField_D_H
#define MatterbookField_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* The fields of a client, in the order of a record. */
typedef enum MatterbookField {
  /* The client's id in the caller's case system. */
  MatterbookField_ExternalId = 0,
  /* First name. */
  MatterbookField_FirstName = 1,
  /* Last name. */
  MatterbookField_LastName = 2,
  /* Street address. */
  MatterbookField_AddressLine1 = 3,
  /* Apartment, suite, unit. */
  MatterbookField_AddressLine2 = 4,
  /* City. */
  MatterbookField_City = 5,
  /* US state: one of the 62 USPS codes. */
  MatterbookField_State = 6,
  /* ZIP code: `NNNNN` or `NNNNN-NNNN`. */
  MatterbookField_Zip = 7,
  /* Email address. */
  MatterbookField_Email = 8,
  /* Phone number in E.164. */
  MatterbookField_Phone = 9,
  /* Kind of case. */
  MatterbookField_CaseType = 10,
  /* Date on which the case opened. */
  MatterbookField_OpenedOn = 11,
  /* Date of the settlement. */
  MatterbookField_SettledOn = 12,
  /* No letters to this person. */
  MatterbookField_DoNotMail = 13,
} MatterbookField;

typedef struct MatterbookField_option {union { MatterbookField ok; }; bool is_ok; } MatterbookField_option;

#endif // MatterbookField_D_H
