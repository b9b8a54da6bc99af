#ifndef MatterbookStreetParts_H
#define MatterbookStreetParts_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookStreetParts.d.h"

/* The parts of a line. */
MatterbookStreetParts* MatterbookStreetParts_of(DiplomatStringView line1);

/* The street without the units at its end. */
DiplomatStringView MatterbookStreetParts_street(const MatterbookStreetParts* self);

/* The unit; empty if it is missing. */
DiplomatStringView MatterbookStreetParts_unit(const MatterbookStreetParts* self);

void MatterbookStreetParts_destroy(MatterbookStreetParts* self);

#endif // MatterbookStreetParts_H
