#ifndef matterbook_MatchKey_HPP
#define matterbook_MatchKey_HPP

#include "MatchKey.d.hpp"

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

    bool MatterbookMatchKey_is_same_person(const matterbook::capi::MatchKey* self, const matterbook::capi::MatchKey* other);

    diplomat::capi::DiplomatStringView MatterbookMatchKey_name(const matterbook::capi::MatchKey* self);

    diplomat::capi::DiplomatStringView MatterbookMatchKey_street(const matterbook::capi::MatchKey* self);

    diplomat::capi::DiplomatStringView MatterbookMatchKey_unit(const matterbook::capi::MatchKey* self);

    diplomat::capi::DiplomatStringView MatterbookMatchKey_zip5(const matterbook::capi::MatchKey* self);

    void MatterbookMatchKey_fold_name(diplomat::capi::DiplomatStringView name, diplomat::capi::DiplomatWrite* write);

    void MatterbookMatchKey_fold_street(diplomat::capi::DiplomatStringView line1, diplomat::capi::DiplomatWrite* write);

    void MatterbookMatchKey_destroy(MatchKey* self);

    } // extern "C"
} // namespace capi
} // namespace

inline bool matterbook::MatchKey::is_same_person(const matterbook::MatchKey& other) const {
    auto result = matterbook::capi::MatterbookMatchKey_is_same_person(this->AsFFI(),
        other.AsFFI());
    return result;
}

inline std::string_view matterbook::MatchKey::name() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMatchKey_name(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::MatchKey::street() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMatchKey_street(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::MatchKey::unit() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMatchKey_unit(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::MatchKey::zip5() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookMatchKey_zip5(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string matterbook::MatchKey::fold_name(std::string_view name) {
    std::string output;
    diplomat::capi::DiplomatWrite write = diplomat::WriteFromString(output);
    matterbook::capi::MatterbookMatchKey_fold_name({name.data(), name.size()},
        &write);
    return output;
}
template<typename W>
inline void matterbook::MatchKey::fold_name_write(std::string_view name, W& writeable) {
    diplomat::capi::DiplomatWrite write = diplomat::WriteTrait<W>::Construct(writeable);
    matterbook::capi::MatterbookMatchKey_fold_name({name.data(), name.size()},
        &write);
}

inline std::string matterbook::MatchKey::fold_street(std::string_view line1) {
    std::string output;
    diplomat::capi::DiplomatWrite write = diplomat::WriteFromString(output);
    matterbook::capi::MatterbookMatchKey_fold_street({line1.data(), line1.size()},
        &write);
    return output;
}
template<typename W>
inline void matterbook::MatchKey::fold_street_write(std::string_view line1, W& writeable) {
    diplomat::capi::DiplomatWrite write = diplomat::WriteTrait<W>::Construct(writeable);
    matterbook::capi::MatterbookMatchKey_fold_street({line1.data(), line1.size()},
        &write);
}

inline const matterbook::capi::MatchKey* matterbook::MatchKey::AsFFI() const {
    return reinterpret_cast<const matterbook::capi::MatchKey*>(this);
}

inline matterbook::capi::MatchKey* matterbook::MatchKey::AsFFI() {
    return reinterpret_cast<matterbook::capi::MatchKey*>(this);
}

inline const matterbook::MatchKey* matterbook::MatchKey::FromFFI(const matterbook::capi::MatchKey* ptr) {
    return reinterpret_cast<const matterbook::MatchKey*>(ptr);
}

inline matterbook::MatchKey* matterbook::MatchKey::FromFFI(matterbook::capi::MatchKey* ptr) {
    return reinterpret_cast<matterbook::MatchKey*>(ptr);
}

inline void matterbook::MatchKey::operator delete(void* ptr) {
    matterbook::capi::MatterbookMatchKey_destroy(reinterpret_cast<matterbook::capi::MatchKey*>(ptr));
}


#endif // matterbook_MatchKey_HPP
