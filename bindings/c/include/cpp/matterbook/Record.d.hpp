#ifndef matterbook_Record_D_HPP
#define matterbook_Record_D_HPP

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
namespace capi { struct Record; }
class Record;
namespace capi { struct Value; }
class Value;
} // namespace matterbook




namespace matterbook {
namespace capi {
    struct Record;
} // namespace capi
} // namespace

namespace matterbook {
/**
 * The values of one person, to be compared.
 */
class Record {
public:

  /**
   * A record without values.
   */
  inline static std::unique_ptr<matterbook::Record> create();

  /**
   * Copies a value into the record, in the place of an earlier one of the same field. A refused value
   * counts as missing.
   */
  inline void put(const matterbook::Value& value);

  /**
   * What is compared of the record.
   */
  inline std::unique_ptr<matterbook::MatchKey> match_key() const;

    inline const matterbook::capi::Record* AsFFI() const;
    inline matterbook::capi::Record* AsFFI();
    inline static const matterbook::Record* FromFFI(const matterbook::capi::Record* ptr);
    inline static matterbook::Record* FromFFI(matterbook::capi::Record* ptr);
    inline static void operator delete(void* ptr);
private:
    Record() = delete;
    Record(const matterbook::Record&) = delete;
    Record(matterbook::Record&&) noexcept = delete;
    Record operator=(const matterbook::Record&) = delete;
    Record operator=(matterbook::Record&&) noexcept = delete;
    static void operator delete[](void*, size_t) = delete;
};

} // namespace
#endif // matterbook_Record_D_HPP
