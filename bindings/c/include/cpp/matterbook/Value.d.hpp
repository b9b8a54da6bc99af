#ifndef matterbook_Value_D_HPP
#define matterbook_Value_D_HPP

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
namespace capi { struct Value; }
class Value;
class Field;
class ProblemKind;
class Status;
} // namespace matterbook




namespace matterbook {
namespace capi {
    struct Value;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * A value, normalized by the rule of its field.
 */
class Value {
public:

  /**
   * Normalizes a text in UTF-8. A text that is not valid UTF-8 is refused.
   */
  inline static std::unique_ptr<matterbook::Value> of_text(matterbook::Field field, std::string_view text);

  /**
   * Normalizes an integer.
   */
  inline static std::unique_ptr<matterbook::Value> of_integer(matterbook::Field field, int64_t value);

  /**
   * Normalizes a boolean.
   */
  inline static std::unique_ptr<matterbook::Value> of_boolean(matterbook::Field field, bool value);

  /**
   * Normalizes a JSON value: one valid token in UTF-8, without white space around it. A number may have any
   * number of digits. `null` is a blank value. Arrays and objects are refused.
   */
  inline static std::unique_ptr<matterbook::Value> of_json(matterbook::Field field, std::string_view token);

  /**
   * What became of the value.
   */
  inline matterbook::Status status() const;

  /**
   * The stored form: for `do_not_mail` the text `true` or `false`, for a date `YYYY-MM-DD`. It is empty if
   * the value is blank or refused. It is valid as long as the value, and has no NUL at its end.
   */
  inline std::string_view text() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * The kind of the problem of a refused value.
   */
  inline std::optional<matterbook::ProblemKind> problem() const;

  /**
   * The name of that kind, such as `zip_format`; empty if the value is not refused.
   */
  inline std::string_view problem_name() const;

  /**
   * What to fix in a refused value, as the part of a sentence after the field's name; empty if the value is
   * not refused. It never repeats the value. It is valid as long as the value, and has no NUL at its end.
   */
  inline std::string_view message() const DIPLOMAT_LIFETIME_BOUND;

    inline const matterbook::capi::Value* AsFFI() const;
    inline matterbook::capi::Value* AsFFI();
    inline static const matterbook::Value* FromFFI(const matterbook::capi::Value* ptr);
    inline static matterbook::Value* FromFFI(matterbook::capi::Value* ptr);
    inline static void operator delete(void* ptr);
private:
    Value() = delete;
    Value(const matterbook::Value&) = delete;
    Value(matterbook::Value&&) noexcept = delete;
    Value operator=(const matterbook::Value&) = delete;
    Value operator=(matterbook::Value&&) noexcept = delete;
    static void operator delete[](void*, size_t) = delete;
};

} // namespace
#endif // matterbook_Value_D_HPP
