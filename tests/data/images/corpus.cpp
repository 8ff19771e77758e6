#include "tests/data/images/corpus.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace fastnn::tests {

std::filesystem::path decoder_folder() {
  return data_dir().empty() ? std::filesystem::path() : data_dir() / "decoder";
}

bool skip_without_decoder_folder() {
  if (!decoder_folder().empty()) return false;
  WARN("skipped: the folder of real data files (FASTNN_DATA_DIR) is absent");
  return true;
}

std::vector<DecodeRow> decode_rows() {
  std::vector<DecodeRow> rows;
  if (decoder_folder().empty()) return rows;
  std::ifstream table(golden_dir() / "preprocessing/decode_golden.tsv");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    DecodeRow row;
    for (std::string* field : {&row.path, &row.verdict, &row.shape, &row.crc})
      std::getline(fields, *field, '\t');
    if (std::filesystem::is_regular_file(decoder_folder() / row.path)) rows.push_back(row);
  }
  return rows;
}

std::vector<std::filesystem::path> image_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(golden_dir() / "preprocessing/images"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  for (const DecodeRow& row : decode_rows()) files.push_back(decoder_folder() / row.path);
  return files;
}

}  // namespace fastnn::tests
