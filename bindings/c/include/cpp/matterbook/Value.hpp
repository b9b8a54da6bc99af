#ifndef matterbook_Value_HPP
#define matterbook_Value_HPP

#include "Value.d.hpp"

#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <memory>
#include <functional>
#include <optional>
#include <cstdlib>
#include "../diplomat_runtime.hpp"
#include "Field.hpp"
#include "ProblemKind.hpp"
#include "Status.hpp"


namespace matterbook {
namespace capi {
    extern "C" {

    matterbook::capi::Value* MatterbookValue_of_text(matterbook::capi::Field field, diplomat::capi::DiplomatStringView text);

    matterbook::capi::Value* MatterbookValue_of_integer(matterbook::capi::Field field, int64_t value);

    matterbook::capi::Value* MatterbookValue_of_boolean(matterbook::capi::Field field, bool value);

    matterbook::capi::Value* MatterbookValue_of_json(matterbook::capi::Field field, diplomat::capi::DiplomatStringView token);

    matterbook::capi::Status MatterbookValue_status(const matterbook::capi::Value* self);

    diplomat::capi::DiplomatStringView MatterbookValue_text(const matterbook::capi::Value* self);

    typedef struct MatterbookValue_problem_result {union {matterbook::capi::ProblemKind ok; }; bool is_ok;} MatterbookValue_problem_result;
    MatterbookValue_problem_result MatterbookValue_problem(const matterbook::capi::Value* self);

    diplomat::capi::DiplomatStringView MatterbookValue_problem_name(const matterbook::capi::Value* self);

    diplomat::capi::DiplomatStringView MatterbookValue_message(const matterbook::capi::Value* self);

    void MatterbookValue_destroy(Value* self);

    } // extern "C"
} // namespace capi
} // namespace

inline std::unique_ptr<matterbook::Value> matterbook::Value::of_text(matterbook::Field field, std::string_view text) {
    auto result = matterbook::capi::MatterbookValue_of_text(field.AsFFI(),
        {text.data(), text.size()});
    return std::unique_ptr<matterbook::Value>(matterbook::Value::FromFFI(result));
}

inline std::unique_ptr<matterbook::Value> matterbook::Value::of_integer(matterbook::Field field, int64_t value) {
    auto result = matterbook::capi::MatterbookValue_of_integer(field.AsFFI(),
        value);
    return std::unique_ptr<matterbook::Value>(matterbook::Value::FromFFI(result));
}

inline std::unique_ptr<matterbook::Value> matterbook::Value::of_boolean(matterbook::Field field, bool value) {
    auto result = matterbook::capi::MatterbookValue_of_boolean(field.AsFFI(),
        value);
    return std::unique_ptr<matterbook::Value>(matterbook::Value::FromFFI(result));
}

inline std::unique_ptr<matterbook::Value> matterbook::Value::of_json(matterbook::Field field, std::string_view token) {
    auto result = matterbook::capi::MatterbookValue_of_json(field.AsFFI(),
        {token.data(), token.size()});
    return std::unique_ptr<matterbook::Value>(matterbook::Value::FromFFI(result));
}

inline matterbook::Status matterbook::Value::status() const {
    auto result = matterbook::capi::MatterbookValue_status(this->AsFFI());
    return matterbook::Status::FromFFI(result);
}

inline std::string_view matterbook::Value::text() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookValue_text(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::optional<matterbook::ProblemKind> matterbook::Value::problem() const {
    auto result = matterbook::capi::MatterbookValue_problem(this->AsFFI());
    return result.is_ok ? std::optional<matterbook::ProblemKind>(matterbook::ProblemKind::FromFFI(result.ok)) : std::nullopt;
}

inline std::string_view matterbook::Value::problem_name() const {
    auto result = matterbook::capi::MatterbookValue_problem_name(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline std::string_view matterbook::Value::message() const DIPLOMAT_LIFETIME_BOUND {
    auto result = matterbook::capi::MatterbookValue_message(this->AsFFI());
    return std::string_view(result.data, result.len);
}

inline const matterbook::capi::Value* matterbook::Value::AsFFI() const {
    return reinterpret_cast<const matterbook::capi::Value*>(this);
}

inline matterbook::capi::Value* matterbook::Value::AsFFI() {
    return reinterpret_cast<matterbook::capi::Value*>(this);
}

inline const matterbook::Value* matterbook::Value::FromFFI(const matterbook::capi::Value* ptr) {
    return reinterpret_cast<const matterbook::Value*>(ptr);
}

inline matterbook::Value* matterbook::Value::FromFFI(matterbook::capi::Value* ptr) {
    return reinterpret_cast<matterbook::Value*>(ptr);
}

inline void matterbook::Value::operator delete(void* ptr) {
    matterbook::capi::MatterbookValue_destroy(reinterpret_cast<matterbook::capi::Value*>(ptr));
}


#endif // matterbook_Value_HPP
