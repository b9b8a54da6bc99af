#ifndef matterbook_StreetParts_D_HPP
#define matterbook_StreetParts_D_HPP

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
namespace capi { struct StreetParts; }
class StreetParts;
} // namespace matterbook




namespace matterbook {
namespace capi {
    struct StreetParts;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * The street and the unit of the first line of an address, each as it is compared.
 */
class StreetParts {
public:

  /**
   * The parts of a line.
   */
  inline static std::unique_ptr<matterbook::StreetParts> of(std::string_view line1);

  /**
   * The street without the units at its end.
   */
  inline std::string_view street() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * The unit; empty if it is missing.
   */
  inline std::string_view unit() const DIPLOMAT_LIFETIME_BOUND;

    inline const matterbook::capi::StreetParts* AsFFI() const;
    inline matterbook::capi::StreetParts* AsFFI();
    inline static const matterbook::StreetParts* FromFFI(const matterbook::capi::StreetParts* ptr);
    inline static matterbook::StreetParts* FromFFI(matterbook::capi::StreetParts* ptr);
    inline static void operator delete(void* ptr);
private:
    StreetParts() = delete;
    StreetParts(const matterbook::StreetParts&) = delete;
    StreetParts(matterbook::StreetParts&&) noexcept = delete;
    StreetParts operator=(const matterbook::StreetParts&) = delete;
    StreetParts operator=(matterbook::StreetParts&&) noexcept = delete;
    static void operator delete[](void*, size_t) = delete;
};

} // namespace
#endif // matterbook_StreetParts_D_HPP
