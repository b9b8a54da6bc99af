#ifndef MatterbookMatchKey_D_H
#define MatterbookMatchKey_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* What is compared of a record. */
typedef struct MatterbookMatchKey MatterbookMatchKey;

#endif // MatterbookMatchKey_D_H
