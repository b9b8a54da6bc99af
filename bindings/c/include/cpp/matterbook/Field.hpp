#ifndef matterbook_Field_HPP
#define matterbook_Field_HPP

#include "Field.d.hpp"

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

    typedef struct MatterbookField_from_name_result {union {matterbook::capi::Field ok; }; bool is_ok;} MatterbookField_from_name_result;
    MatterbookField_from_name_result MatterbookField_from_name(diplomat::capi::DiplomatStringView name);

    typedef struct MatterbookField_of_column_result {union {matterbook::capi::Field ok; }; bool is_ok;} MatterbookField_of_column_result;
    MatterbookField_of_column_result MatterbookField_of_column(diplomat::capi::DiplomatStringView header);

    diplomat::capi::DiplomatStringView MatterbookField_name(matterbook::capi::Field self);

    } // extern "C"
} // namespace capi
} // namespace

inline matterbook::capi::Field matterbook::Field::AsFFI() const {
    return static_cast<matterbook::capi::Field>(value);
}

inline matterbook::Field matterbook::Field::FromFFI(matterbook::capi::Field c_enum) {
    switch (c_enum) {
        case matterbook::capi::Field_ExternalId:
        case matterbook::capi::Field_FirstName:
        case matterbook::capi::Field_LastName:
        case matterbook::capi::Field_AddressLine1:
        case matterbook::capi::Field_AddressLine2:
        case matterbook::capi::Field_City:
        case matterbook::capi::Field_State:
        case matterbook::capi::Field_Zip:
        case matterbook::capi::Field_Email:
        case matterbook::capi::Field_Phone:
        case matterbook::capi::Field_CaseType:
        case matterbook::capi::Field_OpenedOn:
        case matterbook::capi::Field_SettledOn:
        case matterbook::capi::Field_DoNotMail:
            return static_cast<matterbook::Field::Value>(c_enum);
        default:
            std::abort();
    }
}

inline std::optional<matterbook::Field> matterbook::Field::from_name(std::string_view name) {
    auto result = matterbook::capi::MatterbookField_from_name({name.data(), name.size()});
    return result.is_ok ? std::optional<matterbook::Field>(matterbook::Field::FromFFI(result.ok)) : std::nullopt;
}

inline std::optional<matterbook::Field> matterbook::Field::of_column(std::string_view header) {
    auto result = matterbook::capi::MatterbookField_of_column({header.data(), header.size()});
    return result.is_ok ? std::optional<matterbook::Field>(matterbook::Field::FromFFI(result.ok)) : std::nullopt;
}

inline std::string_view matterbook::Field::name() const {
    auto result = matterbook::capi::MatterbookField_name(this->AsFFI());
    return std::string_view(result.data, result.len);
}
#endif // matterbook_Field_HPP
