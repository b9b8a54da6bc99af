#ifndef MatterbookMailingAddress_D_H
#define MatterbookMailingAddress_D_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

/* The lines of an address as USPS Publication 28 prefers it on an envelope: in capitals, without punctuation, with
 * the standard abbreviations. */
typedef struct MatterbookMailingAddress MatterbookMailingAddress;

#endif // MatterbookMailingAddress_D_H
