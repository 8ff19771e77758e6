#include "tests/engine/checkpoint/index_tables.h"

#include <leveldb/env.h>
#include <leveldb/options.h>
#include <leveldb/table_builder.h>

#include <memory>
#include <stdexcept>

#include "engine/checkpoint/table_reader.h"

namespace fastnn::tests {

void write_index(const std::filesystem::path& prefix, const std::map<std::string, std::string>& entries) {
  leveldb::WritableFile* opened = nullptr;
  const std::string path = prefix.string() + ".index";
  if (!leveldb::Env::Default()->NewWritableFile(path, &opened).ok())
    throw std::runtime_error("cannot write " + path);
  const std::unique_ptr<leveldb::WritableFile> file(opened);
  leveldb::Options options;
  options.compression = leveldb::kNoCompression;
  leveldb::TableBuilder builder(options, file.get());
  for (const auto& [key, value] : entries) builder.Add(key, value);
  if (!builder.Finish().ok() || !file->Close().ok()) throw std::runtime_error("cannot write " + path);
}

std::map<std::string, std::string> index_entries(const std::filesystem::path& prefix) {
  std::map<std::string, std::string> entries;
  const ReadFile file(prefix.string() + ".index");
  read_table(file, [&](std::string_view key, std::string_view value) { entries.emplace(key, value); });
  return entries;
}

}  // namespace fastnn::tests
