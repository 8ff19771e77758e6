#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "tests/data/images/test_images.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/paths.h"
#include "tests/support/run_command.h"
#include "tools/parameters/parameter_table.h"

using namespace fastnn;
using namespace fastnn::tests;

namespace {

/// What two runs of a program are compared by.
enum class Observe {
  weights,  ///< bytes of the newest checkpoint
  lines,    ///< output lines that contain 'key', without rates
  count,    ///< number of output lines that contain 'key'
  files,    ///< names of the files in the run's folder
  refusal,  ///< one of the runs ends with 'refusal' and says 'key'
};

/// One parameter: two settings that must make an observable difference, which 'observe' states. Both runs
/// succeed, unless a refusal is the difference.
/// 'program' is train, eval (after a training run) or resume (train, in the folder of a run).
struct Effect {
  const char* name;
  const char* a;
  const char* b;
  Observe observe;
  const char* key = "";
  const char* both = "";
  const char* program = "train";
  /// Which setting is refused, and the exit code then.
  enum class Refused { neither, a, b } refused = Refused::neither;
  int refusal = 0;
};

/// A parameter one of whose settings is refused with this exit code and these words.
constexpr Effect refusal_of(const char* name, const char* a, const char* b, Effect::Refused refused, int code,
                            const char* words, const char* both = "", const char* program = "train") {
  return {name, a, b, Observe::refusal, words, both, program, refused, code};
}

// $DATA, $OTHER: data sets of different seeds; $PHOTOS: class folders of JPEGs that stand on their side;
// $RUN: the run's folder; $CONF: a settings file.
constexpr const char* kPhotos = "--dataset_name=photos --dataset_dir=$PHOTOS";
constexpr Effect kEffects[] = {
    {"dataset_name", "", "--dataset_name=mock", Observe::lines, "data:"},
    {"dataset_dir", "", "--dataset_dir=$OTHER", Observe::weights},
    {"num_sample_per_epoch", "=80", "=800", Observe::lines, "learning rate"},
    {"num_classes", "=10", "=12", Observe::lines, "net lenet"},
    {"train_files", "=shapes_train.tfrecord", "=shapes_validation.tfrecord", Observe::lines, "data:"},
    {"eval_files", "=shapes_train.tfrecord", "=shapes_validation.tfrecord", Observe::lines, "evaluated", "",
     "eval"},
    {"file_pattern", "=shapes_%s.tfrecord", "=shapes_valid*.tfrecord", Observe::lines, "data:"},
    refusal_of("labels_offset", "=0", "=1", Effect::Refused::b, 3, "is outside 1 .. 9"),
    {"dataset_split_name", "=train", "=validation", Observe::lines, "data:"},
    refusal_of("path_map", "=x://=/y", "=x://data=$DATA", Effect::Refused::a, 3, "/ydata does not exist",
               "--dataset_dir=x://data"),
    refusal_of("image_feature", "=image/encoded", "=image/jpeg", Effect::Refused::b, 3,
               "expected feature \"image/jpeg\""),
    refusal_of("label_feature", "=image/class/label", "=image/height", Effect::Refused::b, 3,
               "is outside 0 .. 9"),
    refusal_of("bad_record_policy", "=fail", "=skip", Effect::Refused::a, 3,
               "fastnn-train: error: [datasets] label 0", "--labels_offset=1"),
    refusal_of("bad_record_limit", "=1", "=64", Effect::Refused::a, 3,
               "bad records are more than bad_record_limit allows",
               "--labels_offset=1 --bad_record_policy=skip"),
    {"index_dir", "=$RUN/a", "=$RUN/b", Observe::files},
    {"preprocessing_name", "=lenet", "=vgg", Observe::weights},
    {"max_num_batches", "=1", "=2", Observe::lines, "evaluated", "--batch_size=8", "eval"},
    {"jpeg_dct", "=accurate", "=fast", Observe::weights, "", kPhotos},
    {"exif_orientation", "=False", "=True", Observe::weights, "", kPhotos},
    {"shuffle_buffer_size", "=1", "=100", Observe::weights},
    {"num_parallel_batches", "=1", "=2", Observe::lines, "input:"},
    {"prefetch_buffer_size", "=40", "=50", Observe::lines, "input:"},
    {"num_preprocessing_threads", "=1", "=3", Observe::lines, "input:"},
    {"datasets_use_caching", "=False", "=True", Observe::lines, "data:"},
    {"record_cache_mib", "=1", "=2", Observe::lines, "data:", "--datasets_use_caching"},
    {"train_image_size", "=28", "=32", Observe::lines, "net lenet"},
    refusal_of("eval_image_size", "=32", "=28", Effect::Refused::b, 3,
               "image size and optimizer it was trained with", "", "eval"),
    refusal_of("task_type", "=pretrain", "=finetune", Effect::Refused::b, 2,
               "fine-tuning is not available yet"),
    refusal_of("model_name", "=lenet", "=inception_resnet_v2", Effect::Refused::b, 2,
               "takes images of 107 to"),
    {"num_epochs", "=1", "=2", Observe::lines, "stops at", "--stop_at_step=1000 --dry_run"},
    {"weight_decay", "=0.1", "=0", Observe::weights},
    {"max_gradient_norm", "=0.01", "=1000", Observe::weights},
    {"batch_size", "=8", "=16", Observe::lines, "data:"},
    refusal_of("model_dir", "=$RUN", "=$OTHER", Effect::Refused::b, 3, "no checkpoint in", "", "eval"),
    refusal_of("ckpt_file_name", "=model.ckpt-4", "=model.ckpt-9", Effect::Refused::b, 3,
               "model.ckpt-9.index", "", "eval"),
    {"accumulate_steps", "=1", "=2", Observe::weights},
    {"label_smoothing", "=0", "=0.1", Observe::weights},
    {"freeze_batch_norm", "=False", "=True", Observe::weights, "", "--model_name=mobilenet_v1_025"},
    {"warmup_steps", "=0", "=10", Observe::weights},
    {"warmup_scheme", "=t2t", "=linear", Observe::weights, "", "--warmup_steps=10"},
    {"decay_scheme", "=", "=luong10", Observe::lines, "learning rate"},
    {"learning_rate_decay_factor", "=0.5", "=0.9", Observe::lines, "learning rate"},
    {"num_epochs_per_decay", "=1", "=3", Observe::lines, "learning rate"},
    {"learning_rate_decay_type", "=fixed", "=polynomial", Observe::lines, "learning rate"},
    {"learning_rate_decay_steps", "=1", "=3", Observe::lines, "learning rate"},
    {"learning_rate_values", "=0.1,0.01", "=0.1,0.02", Observe::lines, "learning rate",
     "--learning_rate_decay_type=piecewise --learning_rate_boundaries=2"},
    {"learning_rate_boundaries", "=1", "=0.5e", Observe::weights, "",
     "--learning_rate_decay_type=piecewise --learning_rate_values=0.001,0.0001"},
    {"one_cycle_rise", "=0.3", "=0.6", Observe::weights, "", "--learning_rate_decay_type=one_cycle"},
    {"base_batch_size", "=8", "=4", Observe::weights},
    {"learning_rate", "=0.001", "=0.002", Observe::weights},
    {"end_learning_rate", "=0.0001", "=0.0009", Observe::weights, "",
     "--learning_rate_decay_type=polynomial --num_sample_per_epoch=16"},
    {"optimizer", "=sgd", "=momentum", Observe::weights},
    {"adadelta_rho", "=0.9", "=0.5", Observe::weights, "", "--optimizer=adadelta"},
    {"adagrad_initial_accumulator_value", "=0.1", "=1", Observe::weights, "", "--optimizer=adagrad"},
    {"adam_beta1", "=0.9", "=0.5", Observe::weights, "", "--optimizer=adam"},
    {"adam_beta2", "=0.999", "=0.5", Observe::weights, "", "--optimizer=adam"},
    {"opt_epsilon", "=1", "=0.1", Observe::weights, "", "--optimizer=adam"},
    {"ftrl_learning_rate_power", "=-0.5", "=-0.4", Observe::weights, "", "--optimizer=ftrl"},
    {"ftrl_initial_accumulator_value", "=0.1", "=1", Observe::weights, "", "--optimizer=ftrl"},
    {"ftrl_l1", "=0", "=0.1", Observe::weights, "", "--optimizer=ftrl"},
    {"ftrl_l2", "=0", "=0.1", Observe::weights, "", "--optimizer=ftrl"},
    {"momentum", "=0.9", "=0.5", Observe::weights},
    {"use_nesterov", "=False", "=True", Observe::weights},
    {"one_cycle_momentum", "=0.5", "=0.8", Observe::weights, "", "--learning_rate_decay_type=one_cycle"},
    {"rmsprop_momentum", "=0.9", "=0.5", Observe::weights, "", "--optimizer=rmsprop"},
    {"rmsprop_decay", "=0.9", "=0.5", Observe::weights, "", "--optimizer=rmsprop"},
    {"stop_at_step", "=2", "=3", Observe::lines, "stops at"},
    {"log_loss_every_n_iters", "=1", "=3", Observe::count, "step "},
    {"profile_every_n_iters", "=0", "=2", Observe::files},
    {"profile_at_task", "=0", "=1", Observe::files, "", "--profile_every_n_iters=2"},
    {"log_device_placement", "=False", "=True", Observe::count, " on cpu by "},
    {"print_model_statistics", "=False", "=True", Observe::count, "trainable variables"},
    {"log_optimizer_vars_statistics", "=False", "=True", Observe::count, "slots of"},
    {"hooks", "=LoggingTensorHook,CheckpointSaverHook", "=LoggingTensorHook", Observe::files},
    {"use_fp16", "=False", "=True", Observe::lines, "compute:"},
    {"intra_op_parallelism_threads", "=1", "=2", Observe::lines, "cpu: float32"},
    {"benchmark", "=False", "=True", Observe::files},
    {"num_warmup_batches", "=0", "=2", Observe::lines, "benchmark:", "--benchmark"},
    {"forward_only", "=False", "=True", Observe::lines, "benchmark:", "--benchmark"},
    {"device", "=cpu", "=reference", Observe::count, "reference: float64"},
    {"threads", "=1", "=2", Observe::lines, "cpu: float32"},
    {"seed", "=1", "=2", Observe::weights},
    refusal_of("job_name", "=worker", "=ps", Effect::Refused::b, 2, "no parameter servers"),
    refusal_of("task_index", "=0", "=1", Effect::Refused::b, 2, "the only task is 0"),
    refusal_of("worker_hosts", "=a:1", "=a:1,b:1", Effect::Refused::b, 2,
               "several machines or devices is not available yet"),
    refusal_of("worker_count", "=1", "=2", Effect::Refused::b, 2, "the only count is 1"),
    {"output_dir", "", "--output_dir=$RUN/inner", Observe::files},
    {"checkpointDir", "", "--checkpointDir=$RUN/inner", Observe::files},
    {"save_checkpoints_steps", "=1", "=1000", Observe::files},
    {"save_interval_secs", "=0", "=1e-9", Observe::files},
    {"max_to_keep", "=1", "=3", Observe::files, "", "--save_checkpoints_steps=1"},
    {"config", "", "--config=$CONF", Observe::weights},
    {"disable_pass", "", "--disable_pass=fuse_bias", Observe::lines, "passes:"},
    refusal_of("allow_changes", "=learning_rate", "=momentum", Effect::Refused::b, 2,
               "learning_rate: the run there has 0.001, asked for 0.002", "--learning_rate=0.002", "resume"),
    {"dry_run", "=False", "=True", Observe::files},
    {"list_models", "=False", "=True", Observe::count, "step "},
    {"help", "=False", "=True", Observe::count, "step "},
    {"help_markdown", "=False", "=True", Observe::count, "step "},
    {"version", "=False", "=True", Observe::count, "step "},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
    text.replace(at, from.size(), to);
  return text;
}

class Comparison {
 public:
  explicit Comparison(const Effect& effect) : effect_(effect) {
    std::ofstream(folder_ / "settings.conf") << "weight_decay=0.1\n";
    for (const char* seed : {"1", "2"})
      REQUIRE(
          run_command(fmt::format("{}/fastnn-data synth --train_samples=64 --validation_samples=32 --seed={} "
                                  "--output_dir={} 2>&1",
                                  bin_dir(), seed, (folder_ / (std::string("data") + seed)).string()))
              .exit_code == 0);
    for (const char* photo : {"flower_tall", "flower_wide"}) write_photo(photo);
  }

  std::string observe(const std::string& setting, bool is_refused) {
    std::filesystem::remove_all(folder_ / "run");
    const std::string program = effect_.program;
    if (program != "train") REQUIRE(run_command(command("train", "")).exit_code == 0);
    const std::string flag =
        setting.starts_with("=") ? fmt::format("--{}{}", effect_.name, setting) : setting;
    const auto result =
        run_command(command(program == "eval" ? "eval" : "train", fmt::format("{} {}", effect_.both, flag)));
    UNSCOPED_INFO(result.output);
    CHECK(result.exit_code == (is_refused ? effect_.refusal : 0));
    if (effect_.observe == Observe::refusal) CHECK(contains(result.output, effect_.key) == is_refused);
    return observed(result);
  }

 private:
  void write_photo(const std::string& name) const {
    constexpr int kTurnedClockwise = 6;
    const auto folder = folder_ / "photos" / name;
    std::filesystem::create_directories(folder);
    const auto jpeg = with_orientation(file_bytes(sample_dir() / "preprocessing/images" / (name + ".jpg")),
                                       kTurnedClockwise);
    std::ofstream(folder / "photo.jpg", std::ios::binary)
        .write(reinterpret_cast<const char*>(jpeg.data()), static_cast<std::streamsize>(jpeg.size()));
  }

  std::string command(const std::string& program, const std::string& flags) const {
    const std::string base =
        program == "train" ? "--train_image_size=32 --batch_size=8 --stop_at_step=4 --learning_rate=0.001 "
                             "--optimizer=momentum "
                           : "--eval_image_size=32 ";
    std::string line = fmt::format(
        "{}/fastnn-{} --dataset_name=shapes --dataset_dir=$DATA --model_name=lenet {} --output_dir=$RUN {} "
        "2>&1",
        bin_dir(), program, base, flags);
    line = replaced(line, "$DATA", (folder_ / "data1").string());
    line = replaced(line, "$OTHER", (folder_ / "data2").string());
    line = replaced(line, "$PHOTOS", (folder_ / "photos").string());
    line = replaced(line, "$CONF", (folder_ / "settings.conf").string());
    return replaced(line, "$RUN", (folder_ / "run").string());
  }

  std::string observed(const CommandResult& result) const {
    switch (effect_.observe) {
      case Observe::refusal:
        return std::to_string(result.exit_code);
      case Observe::weights: {
        std::ifstream file(folder_ / "run" / "model.ckpt-4.data-00000-of-00001", std::ios::binary);
        REQUIRE(file);
        return {std::istreambuf_iterator<char>(file), {}};
      }
      case Observe::files:
        return file_names();
      case Observe::lines:
      case Observe::count:
        break;
    }
    std::string text;
    int count = 0;
    std::istringstream stream(result.output);
    for (std::string line; std::getline(stream, line);) {
      if (line.find(effect_.key) == std::string::npos) continue;
      text += std::regex_replace(line, std::regex(", [0-9.]+ samples/s.*"), "") + '\n';
      ++count;
    }
    return effect_.observe == Observe::count ? std::to_string(count) : text;
  }

  std::string file_names() const {
    std::set<std::string> names;
    if (std::filesystem::exists(folder_ / "run"))
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "run"))
        names.insert(std::filesystem::relative(entry.path(), folder_ / "run").string());
    return fmt::format("{}", fmt::join(names, "\n"));
  }

  const Effect& effect_;
  TemporaryFolder folder_;
};

template <std::size_t I>
void check_effect() {
  Comparison comparison(kEffects[I]);
  const std::string a = comparison.observe(kEffects[I].a, kEffects[I].refused == Effect::Refused::a);
  const std::string b = comparison.observe(kEffects[I].b, kEffects[I].refused == Effect::Refused::b);
  CHECK(a != b);
}

std::string test_name(const char* parameter) {
  return fmt::format("parameter {} changes what the program does", parameter);
}

/// Registers one test case per row of kEffects.
template <std::size_t... I>
bool register_effects(std::index_sequence<I...>) {
  static const std::string names[] = {test_name(kEffects[I].name)...};
  ((void)Catch::AutoReg(Catch::makeTestInvoker(&check_effect<I>), CATCH_INTERNAL_LINEINFO, Catch::StringRef(),
                        Catch::NameAndTags(names[I])),
   ...);
  return true;
}

const bool registered = register_effects(std::make_index_sequence<std::size(kEffects)>());

}  // namespace

TEST_CASE("parameters: each one of an existing feature has a test that observes its effect") {
  CHECK(registered);
  std::set<std::string> tests;
  for (const Effect& effect : kEffects) tests.insert(test_name(effect.name));
  for (const auto& row : tools::parameter_table().rows()) {
    INFO(row.name);
    CHECK((row.test.empty() || tests.contains(row.test)));
  }
}
