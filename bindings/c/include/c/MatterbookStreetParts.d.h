#ifndef MatterbookStreetParts_D_H
#define MatterbookStreetParts_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* The street and the unit of the first line of an address, each as it is compared. */
typedef struct MatterbookStreetParts MatterbookStreetParts;

#endif // MatterbookStreetParts_D_H
