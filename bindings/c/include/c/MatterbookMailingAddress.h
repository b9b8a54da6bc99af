#ifndef MatterbookMailingAddress_H
#define MatterbookMailingAddress_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookRecord.d.h"

#include "MatterbookMailingAddress.d.h"

/* The address of a record. */
MatterbookMailingAddress* MatterbookMailingAddress_of(const MatterbookRecord* record);

/* What the second line says besides a unit, such as `C O RUIZ`; empty if there is nothing. */
DiplomatStringView MatterbookMailingAddress_attention_line(const MatterbookMailingAddress* self);

/* House number, street and unit; empty if they are missing. */
DiplomatStringView MatterbookMailingAddress_delivery_line(const MatterbookMailingAddress* self);

/* City, state and ZIP, as far as they are known. */
DiplomatStringView MatterbookMailingAddress_last_line(const MatterbookMailingAddress* self);

void MatterbookMailingAddress_destroy(MatterbookMailingAddress* self);

#endif // MatterbookMailingAddress_H
