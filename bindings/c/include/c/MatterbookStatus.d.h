#ifndef MatterbookStatus_D_H
#define MatterbookStatus_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* What became of a value. */
typedef enum MatterbookStatus {
  /* It has a stored form. */
  MatterbookStatus_Stored = 0,
  /* It is blank: missing, empty, or only white space. */
  MatterbookStatus_Blank = 1,
  /* The rule of its field refuses it. */
  MatterbookStatus_Refused = 2,
} MatterbookStatus;

typedef struct MatterbookStatus_option {union { MatterbookStatus ok; }; bool is_ok; } MatterbookStatus_option;

#endif // MatterbookStatus_D_H
