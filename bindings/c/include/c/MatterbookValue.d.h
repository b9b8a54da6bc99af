#ifndef MatterbookValue_D_H
#define MatterbookValue_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* A value, normalized by the rule of its field. */
typedef struct MatterbookValue MatterbookValue;

#endif // MatterbookValue_D_H
