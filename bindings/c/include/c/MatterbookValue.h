#ifndef MatterbookValue_H
#define MatterbookValue_H

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "diplomat_runtime.h"

#include "MatterbookField.d.h"
#include "MatterbookProblemKind.d.h"
#include "MatterbookStatus.d.h"

#include "MatterbookValue.d.h"

/* Normalizes a text in UTF-8. A text that is not valid UTF-8 is refused. */
MatterbookValue* MatterbookValue_of_text(MatterbookField field, DiplomatStringView text);

/* Normalizes an integer. */
MatterbookValue* MatterbookValue_of_integer(MatterbookField field, int64_t value);

/* Normalizes a boolean. */
MatterbookValue* MatterbookValue_of_boolean(MatterbookField field, bool value);

/* Normalizes a JSON value: one valid token in UTF-8, without white space around it. A number may have any
 * number of digits. `null` is a blank value. Arrays and objects are refused. */
MatterbookValue* MatterbookValue_of_json(MatterbookField field, DiplomatStringView token);

/* What became of the value. */
MatterbookStatus MatterbookValue_status(const MatterbookValue* self);

/* The stored form: for `do_not_mail` the text `true` or `false`, for a date `YYYY-MM-DD`. It is empty if
 * the value is blank or refused. It is valid as long as the value, and has no NUL at its end. */
DiplomatStringView MatterbookValue_text(const MatterbookValue* self);

typedef struct MatterbookValue_problem_result {union {MatterbookProblemKind ok; }; bool is_ok;} MatterbookValue_problem_result;
/* The kind of the problem of a refused value. */
MatterbookValue_problem_result MatterbookValue_problem(const MatterbookValue* self);

/* The name of that kind, such as `zip_format`; empty if the value is not refused. */
DiplomatStringView MatterbookValue_problem_name(const MatterbookValue* self);

/* What to fix in a refused value, as the part of a sentence after the field's name; empty if the value is
 * not refused. It never repeats the value. It is valid as long as the value, and has no NUL at its end. */
DiplomatStringView MatterbookValue_message(const MatterbookValue* self);

void MatterbookValue_destroy(MatterbookValue* self);

#endif // MatterbookValue_H
