#ifndef MatterbookField_H
#define MatterbookField_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookField.d.h"

typedef struct MatterbookField_from_name_result {union {MatterbookField ok; }; bool is_ok;} MatterbookField_from_name_result;
/* The field of that exact name, such as `zip`. */
MatterbookField_from_name_result MatterbookField_from_name(DiplomatStringView name);

typedef struct MatterbookField_of_column_result {union {MatterbookField ok; }; bool is_ok;} MatterbookField_of_column_result;
/* The field that a column of an export holds, by its header, such as `Given Name`. */
MatterbookField_of_column_result MatterbookField_of_column(DiplomatStringView header);

/* The name of the field. */
DiplomatStringView MatterbookField_name(MatterbookField self);

#endif // MatterbookField_H
