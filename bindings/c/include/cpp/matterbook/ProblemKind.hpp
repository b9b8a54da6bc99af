#ifndef matterbook_ProblemKind_HPP
#define matterbook_ProblemKind_HPP

#include "ProblemKind.d.hpp"

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <memory>
#include <functional>
#include <optional>
#include <cstdlib>
#include "../diplomat_runtime.hpp"


namespace matterbook {
namespace capi {

} // namespace capi
} // namespace

inline matterbook::capi::ProblemKind matterbook::ProblemKind::AsFFI() const {
    return static_cast<matterbook::capi::ProblemKind>(value);
}

inline matterbook::ProblemKind matterbook::ProblemKind::FromFFI(matterbook::capi::ProblemKind c_enum) {
    switch (c_enum) {
        case matterbook::capi::ProblemKind_Other:
        case matterbook::capi::ProblemKind_ControlCharacter:
        case matterbook::capi::ProblemKind_DateFormat:
        case matterbook::capi::ProblemKind_EmailFormat:
        case matterbook::capi::ProblemKind_InvalidUnicode:
        case matterbook::capi::ProblemKind_NoSuchDate:
        case matterbook::capi::ProblemKind_NotAllowed:
        case matterbook::capi::ProblemKind_PhoneDigits:
        case matterbook::capi::ProblemKind_Required:
        case matterbook::capi::ProblemKind_TooLong:
        case matterbook::capi::ProblemKind_TwoNumbers:
        case matterbook::capi::ProblemKind_UnknownState:
        case matterbook::capi::ProblemKind_WrongType:
        case matterbook::capi::ProblemKind_YesNo:
        case matterbook::capi::ProblemKind_ZipFormat:
            return static_cast<matterbook::ProblemKind::Value>(c_enum);
        default:
            std::abort();
    }
}
#endif // matterbook_ProblemKind_HPP
