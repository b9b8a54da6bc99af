#ifndef matterbook_ProblemKind_D_HPP
#define matterbook_ProblemKind_D_HPP

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
    enum ProblemKind {
      ProblemKind_Other = 0,
      ProblemKind_ControlCharacter = 1,
      ProblemKind_DateFormat = 2,
      ProblemKind_EmailFormat = 3,
      ProblemKind_InvalidUnicode = 4,
      ProblemKind_NoSuchDate = 5,
      ProblemKind_NotAllowed = 6,
      ProblemKind_PhoneDigits = 7,
      ProblemKind_Required = 8,
      ProblemKind_TooLong = 9,
      ProblemKind_TwoNumbers = 10,
      ProblemKind_UnknownState = 11,
      ProblemKind_WrongType = 12,
      ProblemKind_YesNo = 13,
      ProblemKind_ZipFormat = 14,
    };

    typedef struct ProblemKind_option {union { ProblemKind ok; }; bool is_ok; } ProblemKind_option;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * The kinds of problems. Later versions may add kinds. Such a one is `Other` here; its name is known.
 */
class ProblemKind {
public:
    enum Value {
        /**
         * A kind of a later version.
         */
        Other = 0,
        /**
         * A control character in a text.
         */
        ControlCharacter = 1,
        /**
         * No date in a known form.
         */
        DateFormat = 2,
        /**
         * No email address.
         */
        EmailFormat = 3,
        /**
         * No valid Unicode.
         */
        InvalidUnicode = 4,
        /**
         * A date that the calendar does not have, or that is out of range.
         */
        NoSuchDate = 5,
        /**
         * Nothing of what the field allows.
         */
        NotAllowed = 6,
        /**
         * No phone number, such as too few digits.
         */
        PhoneDigits = 7,
        /**
         * A required value is missing.
         */
        Required = 8,
        /**
         * More characters than the field takes.
         */
        TooLong = 9,
        /**
         * Two phone numbers in one value.
         */
        TwoNumbers = 10,
        /**
         * No US state.
         */
        UnknownState = 11,
        /**
         * Another type than the field takes.
         */
        WrongType = 12,
        /**
         * Neither a yes nor a no.
         */
        YesNo = 13,
        /**
         * No ZIP code.
         */
        ZipFormat = 14,
    };

    ProblemKind(): value(Value::Other) {}

    // Implicit conversions between enum and ::Value
    constexpr ProblemKind(Value v) : value(v) {}
    constexpr operator Value() const { return value; }
    // Prevent usage as boolean value
    explicit operator bool() const = delete;

    inline matterbook::capi::ProblemKind AsFFI() const;
    inline static matterbook::ProblemKind FromFFI(matterbook::capi::ProblemKind c_enum);
private:
    Value value;
};

} // namespace
#endif // matterbook_ProblemKind_D_HPP
