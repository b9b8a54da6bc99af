#ifndef matterbook_Status_HPP
#define matterbook_Status_HPP

#include "Status.d.hpp"

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

inline matterbook::capi::Status matterbook::Status::AsFFI() const {
    return static_cast<matterbook::capi::Status>(value);
}

inline matterbook::Status matterbook::Status::FromFFI(matterbook::capi::Status c_enum) {
    switch (c_enum) {
        case matterbook::capi::Status_Stored:
        case matterbook::capi::Status_Blank:
        case matterbook::capi::Status_Refused:
            return static_cast<matterbook::Status::Value>(c_enum);
        default:
            std::abort();
    }
}
#endif // matterbook_Status_HPP
