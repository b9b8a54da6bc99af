#ifndef matterbook_Status_D_HPP
#define matterbook_Status_D_HPP

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
    enum Status {
      Status_Stored = 0,
      Status_Blank = 1,
      Status_Refused = 2,
    };

    typedef struct Status_option {union { Status ok; }; bool is_ok; } Status_option;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * What became of a value.
 */
class Status {
public:
    enum Value {
        /**
         * It has a stored form.
         */
        Stored = 0,
        /**
         * It is blank: missing, empty, or only white space.
         */
        Blank = 1,
        /**
         * The rule of its field refuses it.
         */
        Refused = 2,
    };

    Status(): value(Value::Stored) {}

    // Implicit conversions between enum and ::Value
    constexpr Status(Value v) : value(v) {}
    constexpr operator Value() const { return value; }
    // Prevent usage as boolean value
    explicit operator bool() const = delete;

    inline matterbook::capi::Status AsFFI() const;
    inline static matterbook::Status FromFFI(matterbook::capi::Status c_enum);
private:
    Value value;
};

} // namespace
#endif // matterbook_Status_D_HPP
