#include "tools/common/home_path.h"

#include <cstdlib>
#include <string>

#include "tests/support/catch.h"

using namespace fastnn::tools;

namespace {

/// HOME has another value while this object lives.
class Home {
 public:
  explicit Home(const char* folder) : before_(std::getenv("HOME") ? std::getenv("HOME") : "") {
    ::setenv("HOME", folder, 1);
  }
  ~Home() { ::setenv("HOME", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("home path: ~ and $HOME at the beginning stand for the home folder") {
  const Home home("/users/ada");
  CHECK(expand_home("~/data") == "/users/ada/data");
  CHECK(expand_home("~") == "/users/ada");
  CHECK(expand_home("$HOME/my data") == "/users/ada/my data");
  CHECK(expand_home("${HOME}") == "/users/ada");
}

TEST_CASE("home path: elsewhere, and as part of a name, they are letters") {
  const Home home("/users/ada");
  for (const char* path : {"", "/data/~", "a/~/b", "~ada/data", "~data", "$HOMES/x", "$HOMEx", "data/$HOME"})
    CHECK(expand_home(path) == path);
}

TEST_CASE("home path: each item of a list is a path") {
  const Home home("/h");
  CHECK(expand_home_in_list("~/a, $HOME/b,c,~") == "/h/a, /h/b,c,/h");
  CHECK(expand_home_in_list("").empty());
}

TEST_CASE("home path: without HOME it is that of the account") {
  const Home home("");
  CHECK(expand_home("~/a").ends_with("/a"));
  CHECK_FALSE(expand_home("~/a").starts_with("~"));
}
