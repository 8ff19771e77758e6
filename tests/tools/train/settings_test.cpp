#include "tools/train/settings.h"

#include <filesystem>

#include "nets/net_table.h"
#include "tests/support/catch.h"
#include "tests/tools/parameters/parse_support.h"

using namespace fastnn;
using namespace fastnn::tests;
using namespace fastnn::tools;

namespace {

std::string data_name(const Arguments& arguments, Program program = Program::train) {
  return dataset_name(parse(program, arguments));
}

PipelineOptions pipeline(const Arguments& arguments) {
  return pipeline_options(parse_train(arguments), PipelineOptions::Mode::training);
}

}  // namespace

TEST_CASE("settings: without a name or files the data set is mock") {
  CHECK(data_name({}) == "mock");
  CHECK(data_name({"--num_classes=3"}, Program::eval) == "mock");
}

TEST_CASE("settings: a data set without a name is called after its folder, never mock") {
  const std::string here = std::filesystem::current_path().filename().string();
  CHECK(data_name({"--dataset_dir=/data/birds"}) == "birds");
  CHECK(data_name({"--dataset_dir=/data/birds/", "--train_files=x/a.tfrecord"}) == "birds");
  CHECK(data_name({"--dataset_dir=/data/birds/."}) == "birds");
  CHECK(data_name({"--dataset_dir=."}) == here);
  CHECK(data_name({"--train_files=/data/cats/a.tfrecord,/data/b.tfrecord"}) == "cats");
  CHECK(data_name({"--train_files=a.tfrecord"}) == here);
  CHECK(data_name({"--eval_files=/data/cats/a.tfrecord"}, Program::eval) == "cats");
  CHECK(data_name({"--file_pattern=/data/cats/%s-*"}) == "cats");
  CHECK(data_name({"--dataset_dir=oss://bucket/birds", "--path_map=oss://bucket/=/data/"}) == "birds");
  CHECK(data_name({"--dataset_dir=/data/mock"}) == "/data/mock");
  CHECK(data_name({"--dataset_dir=/"}) == "/");
}

TEST_CASE("settings: the user's name rules over that of the folder") {
  CHECK(data_name({"--dataset_dir=/data/birds", "--dataset_name=flowers"}) == "flowers");
  CHECK(data_name({"--dataset_dir=/data/birds", "--dataset_name=mock"}) == "mock");
}

TEST_CASE("settings: each number of batches in work counts beside the finished ones") {
  CHECK(pipeline({}).prefetch_batches == 32);
  CHECK(pipeline({"--num_parallel_batches=1"}).prefetch_batches == 33);
  CHECK(pipeline({"--num_parallel_batches=8", "--prefetch_buffer_size=2"}).prefetch_batches == 10);
}

TEST_CASE("settings: boundaries of learning rates are steps, or epochs with an e") {
  const auto options = [](const std::string& boundaries) {
    return schedule_options(parse_train({"--learning_rate_boundaries=" + boundaries, "--batch_size=32"}), 320,
                            100);
  };
  CHECK(options("10,200").learning_rate_boundaries == std::vector<std::int64_t>{10, 200});
  CHECK(options("0.5e,30e,1000").learning_rate_boundaries == std::vector<std::int64_t>{5, 300, 1000});
  for (const char* wrong : {"a", "1.5", "-1", "e", "-1e", "1ee"})
    CHECK(contains(usage_message({std::string("--learning_rate_boundaries=") + wrong}),
                   "expected steps or epochs"));
  CHECK(contains(usage_message({"--learning_rate_values=0.1,x"}),
                 "expected numbers between commas; got \"x\""));
}

TEST_CASE("settings: the ends of every integer's range reach what takes them unchanged") {
  for (const ParameterRow& row : parameter_table().rows()) {
    if (row.type != ParameterType::integer || row.status != ParameterStatus::implemented || row.refuse)
      continue;
    const Program program = row.programs.has(Program::train) ? Program::train : Program::eval;
    for (const double end : {row.range.low, row.range.high}) {
      INFO(row.name << " " << end);
      const Parameters p = parse(program, {fmt::format("--{}={:.0f}", row.name, end)});
      CHECK(static_cast<double>(p.integer(row.name)) == end);
    }
  }
  CHECK(dataset_options(parse_train({"--labels_offset=-1000000000"})).labels_offset == -1000000000);
  CHECK(dataset_options(parse_train({"--num_classes=1048576"})).num_classes == 1048576);
  CHECK(compute_threads(parse_train({"--threads=4096"})) == 4096);
  CHECK(pipeline({"--shuffle_buffer_size=2147483647"}).shuffle_buffer_size == 2147483647);
  CHECK(pipeline({"--num_preprocessing_threads=4096"}).threads == 4096);
  CHECK(image_size(parse_train({"--train_image_size=4096"}), find_net("lenet")) == 4096);
}
