#include "tools/common/arguments.h"

#include "engine/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/messages.h"
#include "tools/common/home_path.h"

using namespace fastnn;
using namespace fastnn::tools;
using fastnn::tests::contains;

namespace {

constexpr Flag kFlags[] = {{"output_dir", "", "folder"}, {"count", "3", "how many"}};

Arguments arguments(const std::vector<std::string>& words) {
  return Arguments(kFlags, words);
}

std::string message(const std::vector<std::string>& words) {
  return tests::message_of<UsageError>([&] { arguments(words); });
}

}  // namespace

TEST_CASE("arguments: a value follows = or the next word, what is not given has its default") {
  CHECK(arguments({"--output_dir=a"}).text("output_dir") == "a");
  CHECK(arguments({"--output_dir", "a", "--count=7"}).count("count") == 7);
  CHECK(arguments({"--output_dir=a"}).count("count") == 3);
}

TEST_CASE("arguments: a home folder at the beginning of a value is expanded") {
  CHECK(arguments({"--output_dir=~/conv"}).text("output_dir") == expand_home("~/conv"));
  CHECK(arguments({"--output_dir=~/a,~/b"}).text("output_dir") == expand_home_in_list("~/a,~/b"));
  CHECK_FALSE(arguments({"--output_dir=~/conv"}).text("output_dir").starts_with("~"));
}

TEST_CASE("arguments: an unknown flag fails with the nearest known one") {
  CHECK(message({"--ouput_dir=a"}).starts_with("did you mean output_dir? There is no flag \"ouput_dir\""));
  CHECK(contains(message({}), "--output_dir is missing"));
}
