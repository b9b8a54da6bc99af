// The library from C++: the same as example.c, without pointers to destroy.
#include "matterbook_rules.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace matterbook;

#define CHECK(condition) \
  if (!(condition)) return std::fprintf(stderr, "line %d: not %s\n", __LINE__, #condition), 1

static std::unique_ptr<MatchKey> key_of(std::string_view first_name, std::string_view last_name, std::string_view line1,
                                        std::string_view zip) {
  auto record = Record::create();
  const std::pair<Field, std::string_view> values[] = {{Field::FirstName, first_name},
                                                       {Field::LastName, last_name},
                                                       {Field::AddressLine1, line1},
                                                       {Field::Zip, zip}};
  for (const auto &[field, text] : values) record->put(*Value::of_text(field, text));
  return record->match_key();
}

int main() {
  auto value = Value::of_integer(Field::Zip, 2134);
  CHECK(value->status() == Status::Stored);
  CHECK(value->text() == "02134");
  CHECK(!value->problem().has_value());

  auto refused = Value::of_text(Field::State, "Narnia");
  CHECK(refused->status() == Status::Refused);
  CHECK(refused->problem().value() == ProblemKind::UnknownState);
  CHECK(refused->problem_name() == "unknown_state");
  CHECK(!refused->message().empty());

  auto one = key_of("José", "O'Neil", "12 North Oak Street", "02134-1001");
  CHECK(one->is_same_person(*key_of("JOSE", "ONeil", "12 N. Oak St", "2134")));
  CHECK(!one->is_same_person(*key_of("JOSE", "ONeil", "12 N. Oak St", "2135")));

  CHECK(Field::from_name("opened_on").value() == Field::OpenedOn);
  CHECK(MatchKey::fold_name("O’Brien-Müller,  Jr.") == "obrien muller jr");
  CHECK(StreetParts::of("600 Canal Street, Apartment #4")->unit() == "4");
  CHECK(Field::of_column("Given Name").value() == Field::FirstName);
  auto record = Record::create();
  record->put(*Value::of_text(Field::AddressLine1, "600 North Canal Street"));
  CHECK(MailingAddress::of(*record)->delivery_line() == "600 N CANAL ST");
  std::puts("the C++ example works");
  return 0;
}
