#ifndef matterbook_Record_HPP
#define matterbook_Record_HPP

#include "Record.d.hpp"

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <memory>
#include <functional>
#include <optional>
#include <cstdlib>
#include "../diplomat_runtime.hpp"
#include "MatchKey.hpp"
#include "Value.hpp"


namespace matterbook {
namespace capi {
    extern "C" {

    matterbook::capi::Record* MatterbookRecord_create(void);

    void MatterbookRecord_put(matterbook::capi::Record* self, const matterbook::capi::Value* value);

    matterbook::capi::MatchKey* MatterbookRecord_match_key(const matterbook::capi::Record* self);

    void MatterbookRecord_destroy(Record* self);

    } // extern "C"
} // namespace capi
} // namespace

inline std::unique_ptr<matterbook::Record> matterbook::Record::create() {
    auto result = matterbook::capi::MatterbookRecord_create();
    return std::unique_ptr<matterbook::Record>(matterbook::Record::FromFFI(result));
}

inline void matterbook::Record::put(const matterbook::Value& value) {
    matterbook::capi::MatterbookRecord_put(this->AsFFI(),
        value.AsFFI());
}

inline std::unique_ptr<matterbook::MatchKey> matterbook::Record::match_key() const {
    auto result = matterbook::capi::MatterbookRecord_match_key(this->AsFFI());
    return std::unique_ptr<matterbook::MatchKey>(matterbook::MatchKey::FromFFI(result));
}

inline const matterbook::capi::Record* matterbook::Record::AsFFI() const {
    return reinterpret_cast<const matterbook::capi::Record*>(this);
}

inline matterbook::capi::Record* matterbook::Record::AsFFI() {
    return reinterpret_cast<matterbook::capi::Record*>(this);
}

inline const matterbook::Record* matterbook::Record::FromFFI(const matterbook::capi::Record* ptr) {
    return reinterpret_cast<const matterbook::Record*>(ptr);
}

inline matterbook::Record* matterbook::Record::FromFFI(matterbook::capi::Record* ptr) {
    return reinterpret_cast<matterbook::Record*>(ptr);
}

inline void matterbook::Record::operator delete(void* ptr) {
    matterbook::capi::MatterbookRecord_destroy(reinterpret_cast<matterbook::capi::Record*>(ptr));
}


#endif // matterbook_Record_HPP
