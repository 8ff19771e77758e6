#include "tools/common/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "engine/base/error.h"

namespace fastnn::tools {

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error)
    throw EnvironmentError("[scratch] no folder for temporary files ({}); set TMPDIR to one",
                           error.message());
  std::string pattern = (parent / "fastnn-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw EnvironmentError("[scratch] cannot make a temporary folder in {}: {}; set TMPDIR to another folder",
                           parent.string(), std::strerror(errno));
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fastnn::tools
