#ifndef MatterbookRecord_H
#define MatterbookRecord_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookMatchKey.d.h"
#include "MatterbookValue.d.h"

#include "MatterbookRecord.d.h"

/* A record without values. */
MatterbookRecord* MatterbookRecord_create(void);

/* Copies a value into the record, in the place of an earlier one of the same field. A refused value
 * counts as missing. */
void MatterbookRecord_put(MatterbookRecord* self, const MatterbookValue* value);

/* What is compared of the record. */
MatterbookMatchKey* MatterbookRecord_match_key(const MatterbookRecord* self);

void MatterbookRecord_destroy(MatterbookRecord* self);

#endif // MatterbookRecord_H
