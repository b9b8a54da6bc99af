#ifndef matterbook_MailingAddress_D_HPP
#define matterbook_MailingAddress_D_HPP

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
namespace capi { struct MailingAddress; }
class MailingAddress;
namespace capi { struct Record; }
class Record;
} // namespace matterbook




namespace matterbook {
namespace capi {
    struct MailingAddress;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * The lines of an address as USPS Publication 28 prefers it on an envelope: in capitals, without punctuation, with
 * the standard abbreviations.
 */
class MailingAddress {
public:

  /**
   * The address of a record.
   */
  inline static std::unique_ptr<matterbook::MailingAddress> of(const matterbook::Record& record);

  /**
   * What the second line says besides a unit, such as `C O RUIZ`; empty if there is nothing.
   */
  inline std::string_view attention_line() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * House number, street and unit; empty if they are missing.
   */
  inline std::string_view delivery_line() const DIPLOMAT_LIFETIME_BOUND;

  /**
   * City, state and ZIP, as far as they are known.
   */
  inline std::string_view last_line() const DIPLOMAT_LIFETIME_BOUND;

    inline const matterbook::capi::MailingAddress* AsFFI() const;
    inline matterbook::capi::MailingAddress* AsFFI();
    inline static const matterbook::MailingAddress* FromFFI(const matterbook::capi::MailingAddress* ptr);
    inline static matterbook::MailingAddress* FromFFI(matterbook::capi::MailingAddress* ptr);
    inline static void operator delete(void* ptr);
private:
    MailingAddress() = delete;
    MailingAddress(const matterbook::MailingAddress&) = delete;
    MailingAddress(matterbook::MailingAddress&&) noexcept = delete;
    MailingAddress operator=(const matterbook::MailingAddress&) = delete;
    MailingAddress operator=(matterbook::MailingAddress&&) noexcept = delete;
    static void operator delete[](void*, size_t) = delete;
};

} // namespace
#endif // matterbook_MailingAddress_D_HPP
