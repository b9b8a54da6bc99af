#ifndef matterbook_StreetParts_HPP
#define matterbook_StreetParts_HPP

#include "StreetParts.d.hpp"

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
    extern "C" {

    matterbook::capi::StreetParts* MatterbookStreetParts_of(diplomat::capi::DiplomatStringView line1);

    diplomat::capi::DiplomatStringView MatterbookStreetParts_street(const matterbook::capi::StreetParts* self);

    diplomat::capi::DiplomatStringView MatterbookStreetParts_unit(const matterbook::capi::StreetParts* self);

    void MatterbookStreetParts_destroy(StreetParts* self);

    } // extern "C"
} // namespace capi
} // namespace

inline std::unique_ptr<matterbook::StreetParts> matterbook::StreetParts::of(std::string_view line1) {
    auto result = matterbook::capi::MatterbookStreetParts_of({line1.data(), line1.size()});
    return std::unique_ptr<matterbook::StreetParts>(matterbook::StreetParts::FromFFI(result));
}

inline std::string_view matterbook::StreetParts::street() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookStreetParts_street(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::StreetParts::unit() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookStreetParts_unit(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline const matterbook::capi::StreetParts* matterbook::StreetParts::AsFFI() const {
    return reinterpret_cast<const matterbook::capi::StreetParts*>(this);
}

inline matterbook::capi::StreetParts* matterbook::StreetParts::AsFFI() {
    return reinterpret_cast<matterbook::capi::StreetParts*>(this);
}

inline const matterbook::StreetParts* matterbook::StreetParts::FromFFI(const matterbook::capi::StreetParts* ptr) {
    return reinterpret_cast<const matterbook::StreetParts*>(ptr);
}

inline matterbook::StreetParts* matterbook::StreetParts::FromFFI(matterbook::capi::StreetParts* ptr) {
    return reinterpret_cast<matterbook::StreetParts*>(ptr);
}

inline void matterbook::StreetParts::operator delete(void* ptr) {
    matterbook::capi::MatterbookStreetParts_destroy(reinterpret_cast<matterbook::capi::StreetParts*>(ptr));
}


#endif // matterbook_StreetParts_HPP
