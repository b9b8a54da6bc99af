/* All of the library. */
#pragma once

#include "matterbook/Field.hpp"
#include "matterbook/MailingAddress.hpp"
#include "matterbook/MatchKey.hpp"
#include "matterbook/ProblemKind.hpp"
#include "matterbook/Record.hpp"
#include "matterbook/Status.hpp"
#include "matterbook/StreetParts.hpp"
#include "matterbook/Value.hpp"
