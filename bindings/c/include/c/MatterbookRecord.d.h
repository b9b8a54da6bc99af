#ifndef MatterbookRecord_D_H
#define MatterbookRecord_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* The values of one person, to be compared. */
typedef struct MatterbookRecord MatterbookRecord;

#endif // MatterbookRecord_D_H
