#ifndef matterbook_MailingAddress_HPP
#define matterbook_MailingAddress_HPP

#include "MailingAddress.d.hpp"

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <memory>
#include <functional>
#include <optional>
#include <cstdlib>
#include "../diplomat_runtime.hpp"
#include "Record.hpp"


namespace matterbook {
namespace capi {
    extern "C" {

    matterbook::capi::MailingAddress* MatterbookMailingAddress_of(const matterbook::capi::Record* record);

    diplomat::capi::DiplomatStringView MatterbookMailingAddress_attention_line(const matterbook::capi::MailingAddress* self);

    diplomat::capi::DiplomatStringView MatterbookMailingAddress_delivery_line(const matterbook::capi::MailingAddress* self);

    diplomat::capi::DiplomatStringView MatterbookMailingAddress_last_line(const matterbook::capi::MailingAddress* self);

    void MatterbookMailingAddress_destroy(MailingAddress* self);

    } // extern "C"
} // namespace capi
} // namespace

inline std::unique_ptr<matterbook::MailingAddress> matterbook::MailingAddress::of(const matterbook::Record& record) {
    auto result = matterbook::capi::MatterbookMailingAddress_of(record.AsFFI());
    return std::unique_ptr<matterbook::MailingAddress>(matterbook::MailingAddress::FromFFI(result));
}

inline std::string_view matterbook::MailingAddress::attention_line() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMailingAddress_attention_line(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::MailingAddress::delivery_line() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMailingAddress_delivery_line(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::MailingAddress::last_line() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMailingAddress_last_line(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline const matterbook::capi::MailingAddress* matterbook::MailingAddress::AsFFI() const {
    return reinterpret_cast<const matterbook::capi::MailingAddress*>(this);
}

inline matterbook::capi::MailingAddress* matterbook::MailingAddress::AsFFI() {
    return reinterpret_cast<matterbook::capi::MailingAddress*>(this);
}

inline const matterbook::MailingAddress* matterbook::MailingAddress::FromFFI(const matterbook::capi::MailingAddress* ptr) {
    return reinterpret_cast<const matterbook::MailingAddress*>(ptr);
}

inline matterbook::MailingAddress* matterbook::MailingAddress::FromFFI(matterbook::capi::MailingAddress* ptr) {
    return reinterpret_cast<matterbook::MailingAddress*>(ptr);
}

inline void matterbook::MailingAddress::operator delete(void* ptr) {
    matterbook::capi::MatterbookMailingAddress_destroy(reinterpret_cast<matterbook::capi::MailingAddress*>(ptr));
}


#endif // matterbook_MailingAddress_HPP
