#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fastnn::tests {

/// A row of decode_golden.tsv: what TensorFlow's decode_image made of a file of the decoder collection.
struct DecodeRow {
  /// Relative to decoder_folder().
  std::string path;
  /// "ok" or "error".
  std::string verdict;
  /// "149x227x3" and checksum of the pixels, or the error's kind and words.
  std::string shape, crc;
};

/// The folder of real images, good and bad; empty where there is none.
std::filesystem::path decoder_folder();

/// Says why a test does nothing where the folder is absent.
bool skip_without_decoder_folder();

/// The rows of preprocessing/decode_golden.tsv of a golden folder.
std::vector<DecodeRow> decode_rows(const std::filesystem::path& golden_folder);

/// Encoded images of every kind at hand: those of sample_dir() and, where it is there, the decoder
/// collection.
std::vector<std::filesystem::path> image_files();

}  // namespace fastnn::tests
