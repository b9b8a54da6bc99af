#ifndef matterbook_MatchKey_D_HPP
#define matterbook_MatchKey_D_HPP

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
namespace capi { struct MatchKey; }
class MatchKey;
} // namespace matterbook




namespace matterbook {
namespace capi {
    struct MatchKey;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * What is compared of a record.
 */
class MatchKey {
public:

  /**
   * Whether both have the same name, street and ZIP, and have all three.
   */
  inline bool is_same_person(const matterbook::MatchKey& other) const;

  /**
   * First and last name, folded, with U+001F between them; empty if both are missing.
   */
  inline std::string_view name() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * The street in its USPS Publication 28 form, without the units at its end; empty if it is missing.
   */
  inline std::string_view street() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * The unit at the end of the first line, or else that of the second; empty if it is missing.
   */
  inline std::string_view unit() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * The first five digits of the ZIP; empty if it is missing.
   */
  inline std::string_view zip5() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * Writes a name as it is compared: without case, accents, apostrophes and dots.
   */
  inline static std::string fold_name(std::string_view name);
  template<typename W>
  inline static void fold_name_write(std::string_view name, W& writeable_output);

  /**
   * Writes the first line of an address as it is compared: in lower case, in its USPS Publication 28 form.
   */
  inline static std::string fold_street(std::string_view line1);
  template<typename W>
  inline static void fold_street_write(std::string_view line1, W& writeable_output);

    inline const matterbook::capi::MatchKey* AsFFI() const;
    inline matterbook::capi::MatchKey* AsFFI();
    inline static const matterbook::MatchKey* FromFFI(const matterbook::capi::MatchKey* ptr);
    inline static matterbook::MatchKey* FromFFI(matterbook::capi::MatchKey* ptr);
    inline static void operator delete(void* ptr);
private:
    MatchKey() = delete;
    MatchKey(const matterbook::MatchKey&) = delete;
    MatchKey(matterbook::MatchKey&&) noexcept = delete;
    MatchKey operator=(const matterbook::MatchKey&) = delete;
    MatchKey operator=(matterbook::MatchKey&&) noexcept = delete;
    static void operator delete[](void*, size_t) = delete;
};

} // namespace
#endif // matterbook_MatchKey_D_HPP
