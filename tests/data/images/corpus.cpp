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

std::vector<DecodeRow> decode_rows(const std::filesystem::path& golden_folder) {
  std::vector<DecodeRow> rows;
  std::ifstream table(golden_folder / "preprocessing/decode_golden.tsv");
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("path\t")) continue;
    std::istringstream fields(line);
    DecodeRow row;
    for (std::string* field : {&row.path, &row.verdict, &row.shape, &row.crc})
      std::getline(fields, *field, '\t');
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::filesystem::path> image_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(sample_dir() / "preprocessing/images"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  if (decoder_folder().empty()) return files;
  for (const DecodeRow& row : decode_rows(sample_dir())) files.push_back(decoder_folder() / row.path);
  return files;
}

}  // namespace fastnn::tests
