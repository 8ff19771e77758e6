#include "tools/parameters/value.h"

#include "tests/support/catch.h"

using namespace fastnn::tools;

namespace {

using Items = std::vector<std::string>;

ParameterRow row(ParameterType type, std::string_view choices = {}, Range range = {}) {
  return {.name = "x", .type = type, .choices = choices, .range = range};
}

}  // namespace

TEST_CASE("value: blanks and CR are trimmed at the ends only") {
  CHECK(trimmed(" \ta b\t\r") == "a b");
  CHECK(trimmed(" \r").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("value: list items are trimmed and empty ones left out") {
  CHECK(list_items(" a , b c ,, d") == Items{"a", "b c", "d"});
  CHECK(list_items("").empty());
  CHECK(list_items(" , ").empty());
}

TEST_CASE("value: booleans are six words in any case") {
  for (const char* word : {"true", "TRUE", "True", "1", "yes", "Yes"}) CHECK(boolean_word(word) == true);
  for (const char* word : {"false", "FALSE", "False", "0", "no", "nO"}) CHECK(boolean_word(word) == false);
  for (const char* word : {"", "t", "on", "2", "true "}) CHECK_FALSE(boolean_word(word));
}

TEST_CASE("value: integers are decimal, whole and of 64 bits") {
  CHECK(integer_word("-12") == -12);
  CHECK(integer_word("9223372036854775807") == INT64_MAX);
  for (const char* text : {"", "1.0", "1e3", "0x10", "9223372036854775808", "1 2", " 1", "1k"})
    CHECK_FALSE(integer_word(text));
}

TEST_CASE("value: floats are decimal, whole and finite") {
  CHECK(real_word("4e-5") == 0.00004);
  CHECK(real_word(".5") == 0.5);
  CHECK(real_word("-2") == -2.0);
  for (const char* text : {"", "abc", "1,5", "nan", "inf", "-inf", "1e999", "0.1f"})
    CHECK_FALSE(real_word(text));
}

TEST_CASE("value: floats that 32 bits do not hold are none") {
  for (const char* text : {"1e39", "-1e39", "1e-39", "-1e-50"}) CHECK_FALSE(real_word(text));
  CHECK(real_word("3.4e38") == 3.4e38);
  CHECK(real_word("0e9") == 0.0);
}

TEST_CASE("value: each type has one canonical form") {
  CHECK(canonical_value(row(ParameterType::flag), "yes") == "True");
  CHECK(canonical_value(row(ParameterType::flag), "0") == "False");
  CHECK(canonical_value(row(ParameterType::flag, "layers"), "layers") == "layers");
  CHECK_FALSE(canonical_value(row(ParameterType::flag), "layers"));
  CHECK(canonical_value(row(ParameterType::integer), "007") == "7");
  CHECK(canonical_value(row(ParameterType::real), "4e-5") == "4e-5");
  CHECK(canonical_value(row(ParameterType::list), "a, b") == "a,b");
  CHECK(canonical_value(row(ParameterType::text), " a, b ") == " a, b ");
}

TEST_CASE("value: ranges hold for integers and floats") {
  const ParameterRow count = row(ParameterType::integer, {}, Range::between(1, 4));
  CHECK(canonical_value(count, "1"));
  CHECK(canonical_value(count, "4"));
  CHECK_FALSE(canonical_value(count, "0"));
  CHECK_FALSE(canonical_value(count, "5"));
  const ParameterRow decay = row(ParameterType::real, {}, Range::from_to_below(0, 1));
  CHECK(canonical_value(decay, "0"));
  CHECK_FALSE(canonical_value(decay, "1"));
  CHECK_FALSE(canonical_value(row(ParameterType::real, {}, Range::above(0)), "0"));
}

TEST_CASE("value: words and list items must be among the choices") {
  CHECK(canonical_value(row(ParameterType::text, "a|b"), "b") == "b");
  CHECK_FALSE(canonical_value(row(ParameterType::text, "a|b"), "c"));
  CHECK_FALSE(canonical_value(row(ParameterType::text, "a|b"), "A"));
  CHECK_FALSE(canonical_value(row(ParameterType::text, "a|b"), ""));
  CHECK(canonical_value(row(ParameterType::list, "a|b"), "b ,a") == "b,a");
  CHECK(canonical_value(row(ParameterType::list, "a|b"), "") == "");
  CHECK_FALSE(canonical_value(row(ParameterType::list, "a|b"), "a,c"));
  ParameterRow may_be_empty = row(ParameterType::text, "a|b");
  may_be_empty.default_value = "";
  CHECK(canonical_value(may_be_empty, "") == "");
}

TEST_CASE("value: what is expected is said in words") {
  CHECK(expected_value(row(ParameterType::flag)) == "boolean (True or False)");
  CHECK(expected_value(row(ParameterType::flag, "layers")) == "boolean (True or False) or layers");
  CHECK(expected_value(row(ParameterType::integer, {}, Range::at_least(1))) == "integer at least 1");
  CHECK(expected_value(row(ParameterType::real)) == "float");
  CHECK(expected_value(row(ParameterType::text, "a|b")) == "one of a, b");
  CHECK(expected_value(row(ParameterType::list, "a|b")) == "list of a, b");
}

TEST_CASE("value: a refusal begins with the nearest word and ends with what came") {
  CHECK(refusal(row(ParameterType::text, "adam|sgd"), "adm") ==
        "did you mean adam? expected one of adam, sgd; got \"adm\"");
  CHECK(refusal(row(ParameterType::integer), "x") == "expected integer; got \"x\"");
  CHECK(refusal(row(ParameterType::real), "1e99") ==
        "expected float; got \"1e99\", which 32 bits do not hold");
}

TEST_CASE("value: floats are compared as numbers, all else as text") {
  CHECK(same_value(row(ParameterType::real), "0.00004", "4e-5"));
  CHECK_FALSE(same_value(row(ParameterType::real), "0.1", "0.2"));
  CHECK_FALSE(same_value(row(ParameterType::text), "0.10", "0.1"));
}
