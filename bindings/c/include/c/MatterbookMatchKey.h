#ifndef MatterbookMatchKey_H
#define MatterbookMatchKey_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookMatchKey.d.h"

/* Whether both have the same name, street and ZIP, and have all three. */
bool MatterbookMatchKey_is_same_person(const MatterbookMatchKey* self, const MatterbookMatchKey* other);

/* First and last name, folded, with U+001F between them; empty if both are missing. */
DiplomatStringView MatterbookMatchKey_name(const MatterbookMatchKey* self);

/* The street in its USPS Publication 28 form, without the units at its end; empty if it is missing. */
DiplomatStringView MatterbookMatchKey_street(const MatterbookMatchKey* self);

/* The unit at the end of the first line, or else that of the second; empty if it is missing. */
DiplomatStringView MatterbookMatchKey_unit(const MatterbookMatchKey* self);

/* The first five digits of the ZIP; empty if it is missing. */
DiplomatStringView MatterbookMatchKey_zip5(const MatterbookMatchKey* self);

/* Writes a name as it is compared: without case, accents, apostrophes and dots. */
void MatterbookMatchKey_fold_name(DiplomatStringView name, DiplomatWrite* write);

/* Writes the first line of an address as it is compared: in lower case, in its USPS Publication 28 form. */
void MatterbookMatchKey_fold_street(DiplomatStringView line1, DiplomatWrite* write);

void MatterbookMatchKey_destroy(MatterbookMatchKey* self);

#endif // MatterbookMatchKey_H
