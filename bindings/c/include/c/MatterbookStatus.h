#ifndef MatterbookStatus_H
#define MatterbookStatus_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookStatus.d.h"

// No Content

#endif // MatterbookStatus_H
