#ifndef MatterbookProblemKind_H
#define MatterbookProblemKind_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookProblemKind.d.h"

// No Content

#endif // MatterbookProblemKind_H
