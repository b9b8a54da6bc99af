#ifndef matterbook_Field_D_HPP
#define matterbook_Field_D_HPP

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
class Field;
} // namespace matterbook




namespace matterbook {
namespace capi {
    enum Field {
      Field_ExternalId = 0,
      Field_FirstName = 1,
      Field_LastName = 2,
      Field_AddressLine1 = 3,
      Field_AddressLine2 = 4,
      Field_City = 5,
      Field_State = 6,
      Field_Zip = 7,
      Field_Email = 8,
      Field_Phone = 9,
      Field_CaseType = 10,
      Field_OpenedOn = 11,
      Field_SettledOn = 12,
      Field_DoNotMail = 13,
    };

    typedef struct Field_option {union { Field ok; }; bool is_ok; } Field_option;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * The fields of a client, in the order of a record.
 */
class Field {
public:
    enum Value {
        /**
         * The client's id in the caller's case system.
         */
        ExternalId = 0,
        /**
         * First name.
         */
        FirstName = 1,
        /**
         * Last name.
         */
        LastName = 2,
        /**
         * Street address.
         */
        AddressLine1 = 3,
        /**
         * Apartment, suite, unit.
         */
        AddressLine2 = 4,
        /**
         * City.
         */
        City = 5,
        /**
         * US state: one of the 62 USPS codes.
         */
        State = 6,
        /**
         * ZIP code: `NNNNN` or `NNNNN-NNNN`.
         */
        Zip = 7,
        /**
         * Email address.
         */
        Email = 8,
        /**
         * Phone number in E.164.
         */
        Phone = 9,
        /**
         * Kind of case.
         */
        CaseType = 10,
        /**
         * Date on which the case opened.
         */
        OpenedOn = 11,
        /**
         * Date of the settlement.
         */
        SettledOn = 12,
        /**
         * No letters to this person.
         */
        DoNotMail = 13,
    };

    Field(): value(Value::ExternalId) {}

    // Implicit conversions between enum and ::Value
    constexpr Field(Value v) : value(v) {}
    constexpr operator Value() const { return value; }
    // Prevent usage as boolean value
    explicit operator bool() const = delete;

  /**
   * The field of that exact name, such as `zip`.
   */
  inline static std::optional<matterbook::Field> from_name(std::string_view name);

  /**
   * The field that a column of an export holds, by its header, such as `Given Name`.
   */
  inline static std::optional<matterbook::Field> of_column(std::string_view header);

  /**
   * The name of the field.
   */
  inline std::string_view name() const;

    inline matterbook::capi::Field AsFFI() const;
    inline static matterbook::Field FromFFI(matterbook::capi::Field c_enum);
private:
    Value value;
};

} // namespace
#endif // matterbook_Field_D_HPP
