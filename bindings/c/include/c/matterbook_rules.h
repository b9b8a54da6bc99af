/* All of the library. */
#pragma once

#include "MatterbookField.h"
#include "MatterbookMailingAddress.h"
#include "MatterbookMatchKey.h"
#include "MatterbookProblemKind.h"
#include "MatterbookRecord.h"
#include "MatterbookStatus.h"
#include "MatterbookStreetParts.h"
#include "MatterbookValue.h"
