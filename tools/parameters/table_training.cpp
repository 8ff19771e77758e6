#include <fmt/format.h>

#include "tools/parameters/table_groups.h"
#include "tools/parameters/value.h"

namespace fastnn::tools {
namespace {

std::string refuse_finetune(std::string_view value) {
  return value == "finetune" ? "fine-tuning is not available yet; task_type=pretrain trains from scratch"
                             : "";
}

std::string refuse_other_than_numbers(std::string_view value) {
  for (const std::string& item : list_items(value))
    if (!real_word(item)) return fmt::format("expected numbers between commas; got \"{}\"", item);
  return "";
}

/// Steps, or a number of epochs with an e behind it.
std::string refuse_other_than_boundaries(std::string_view value) {
  for (const std::string& item : list_items(value)) {
    const auto epochs = item.ends_with('e') ? real_word(item.substr(0, item.size() - 1)) : std::nullopt;
    const auto steps = integer_word(item);
    if (!(steps && *steps >= 0) && !(epochs && *epochs >= 0))
      return fmt::format("expected steps or epochs between commas (1000, or 30e); got \"{}\"", item);
  }
  return "";
}

std::vector<ParameterRow> model_rows() {
  using enum ParameterType;
  return {
      {.name = "task_type",
       .type = text,
       .default_value = "pretrain",
       .choices = "pretrain|finetune",
       .help = "pretrain trains from fresh weights; finetune is not available yet.",
       .refuse = refuse_finetune},
      {.name = "model_name",
       .type = text,
       .default_value = "inception_resnet_v2",
       .help = "The net; --list_models names them all.",
       .programs = kAllPrograms,
       .on_evaluation = OnEvaluation::as_trained},
      {.name = "num_epochs",
       .type = integer,
       .default_value = "100",
       .range = Range::between(1, kMostCount),
       .help = "Length of the run in epochs. With stop_at_step set as well, the shorter of the two rules.",
       .unless_set = "stop_at_step rules",
       .on_resume = OnResume::may_change},
      {.name = "weight_decay",
       .type = real,
       .default_value = "0.00004",
       .range = Range::at_least(0),
       .help =
           "L2 factor: weight_decay * w is added to the gradient of the variables that TF-Slim regularizes."},
      {.name = "max_gradient_norm",
       .type = real,
       .range = Range::above(0),
       .help = "Scales the gradient down when its global norm is larger.",
       .unless_set = "no clipping"},
      {.name = "batch_size",
       .type = integer,
       .default_value = "32",
       .range = Range::between(1, 1 << 20),
       .help = "Samples of one step on one device.",
       .programs = kAllPrograms},
      {.name = "model_dir",
       .type = text,
       .help = "Folder of the checkpoint: the one to evaluate, or to fine-tune from.",
       .holds = Holds::path,
       .programs = kAllPrograms,
       .later = Program::train,
       .refuse = refuse_cloud_path},
      {.name = "ckpt_file_name",
       .type = text,
       .help = "Name of the checkpoint in model_dir, such as model.ckpt-1000.",
       .holds = Holds::path,
       .unless_set = "the newest in model_dir",
       .programs = kAllPrograms,
       .later = Program::train},
      {.name = "moving_average_decay",
       .type = real,
       .range = Range::from_to_below(0, 1),
       .help = "Decay of the moving averages of the weights.",
       .off = "0",
       .unless_set = "no averages are kept",
       .status = ParameterStatus::not_available,
       .reason = "moving averages of the weights",
       .heritage = Heritage::added},
      {.name = "use_moving_average",
       .type = flag,
       .default_value = "False",
       .help = "Evaluate the moving averages of the weights.",
       .status = ParameterStatus::not_available,
       .reason = "moving averages of the weights",
       .programs = Program::eval,
       .heritage = Heritage::added},
      {.name = "label_smoothing",
       .type = real,
       .default_value = "0",
       .range = Range::from_to_below(0, 1),
       .help = "Share of the target that is spread over all classes.",
       .heritage = Heritage::added},
      {.name = "checkpoint_exclude_scopes",
       .type = list,
       .help = "Scopes that are not restored when fine-tuning.",
       .status = ParameterStatus::not_available,
       .reason = "fine-tuning",
       .heritage = Heritage::added},
      {.name = "trainable_scopes",
       .type = list,
       .help = "Scopes that are trained; all others are frozen.",
       .unless_set = "all are trained",
       .status = ParameterStatus::not_available,
       .reason = "freezing of variables",
       .heritage = Heritage::added},
      {.name = "ignore_missing_vars",
       .type = flag,
       .default_value = "False",
       .help = "Accept a checkpoint that lacks variables of the net.",
       .status = ParameterStatus::not_available,
       .reason = "restoring parts of a checkpoint",
       .programs = kAllPrograms,
       .heritage = Heritage::added},
      {.name = "freeze_batch_norm",
       .type = flag,
       .default_value = "False",
       .help = "Normalise with the moving averages of the batch norms and keep them.",
       .heritage = Heritage::added},
      {.name = "accumulate_steps",
       .type = integer,
       .default_value = "1",
       .range = Range::between(1, 65536),
       .help =
           "Batches whose gradients are averaged before an update: one step. Batch norms take the statistics "
           "of each.",
       .heritage = Heritage::added},
  };
}

std::vector<ParameterRow> learning_rate_rows() {
  using enum ParameterType;
  return {
      {.name = "warmup_steps",
       .type = integer,
       .default_value = "0",
       .range = Range::between(0, kMostCount),
       .help = "Steps over which the learning rate rises to its schedule; 0 is no warm-up."},
      {.name = "warmup_scheme",
       .type = text,
       .default_value = "t2t",
       .choices = "t2t|linear",
       .help = "t2t rises exponentially from a hundredth, linear in equal steps.",
       .acts_while = {{"warmup_steps", kNoneOf, "0"}}},
      {.name = "decay_scheme",
       .type = text,
       .default_value = "",
       .choices = "luong234|luong5|luong10",
       .help = "When the rate decays: luong5 and luong10 in 5 and 10 parts of the second half of the run, "
               "luong234 "
               "in 4 parts of its last third. Empty: every num_epochs_per_decay epochs, as TF-Slim does.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "exponential|polynomial|cosine"}}},
      {.name = "learning_rate_decay_factor",
       .type = real,
       .default_value = "0.94",
       .range = {.low = 0, .high = 1, .open_low = true},
       .help = "Factor of one exponential decay.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "exponential"}},
       .unless_set = "the luong schemes halve"},
      {.name = "learning_rate_decay_type",
       .type = text,
       .default_value = "exponential",
       .choices = "fixed|exponential|polynomial|cosine|piecewise|one_cycle",
       .help = "How the rate decays; fixed keeps it, cosine goes down over the run, piecewise takes "
               "learning_rate_values, one_cycle rises from a 25th and falls to almost nothing. Warm-up "
               "applies to "
               "all of them."},
      {.name = "learning_rate",
       .type = real,
       .default_value = "0.01",
       .range = Range::above(0),
       .help = "Learning rate after warm-up.",
       .acts_while = {{"learning_rate_decay_type", kNoneOf, "piecewise"}}},
      {.name = "end_learning_rate",
       .type = real,
       .default_value = "0.0001",
       .range = Range::at_least(0),
       .help = "Rate at the end of polynomial, cosine and one_cycle.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "polynomial|cosine|one_cycle"}},
       .unless_set = "0 for cosine, almost 0 for one_cycle"},
      {.name = "num_epochs_per_decay",
       .type = real,
       .default_value = "2.0",
       .range = Range::above(0),
       .help = "Epochs between two decays while decay_scheme is empty.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "exponential|polynomial"},
                      {"decay_scheme", kNoneOf, "luong234|luong5|luong10"},
                      {"learning_rate_decay_steps", kOneOf, ""}},
       .heritage = Heritage::added},
      {.name = "learning_rate_decay_steps",
       .type = integer,
       .range = Range::between(1, kMostCount),
       .help = "Steps between two exponential decays, or to the end of polynomial and cosine.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "exponential|polynomial|cosine"},
                      {"decay_scheme", kNoneOf, "luong234|luong5|luong10"}},
       .unless_set = "num_epochs_per_decay, or the whole run for cosine",
       .heritage = Heritage::added},
      {.name = "learning_rate_values",
       .type = list,
       .help = "Rates of piecewise, one after the other: 0.1,0.01,0.001.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "piecewise"}},
       .refuse = refuse_other_than_numbers,
       .heritage = Heritage::added},
      {.name = "learning_rate_boundaries",
       .type = list,
       .help = "Last step of each of learning_rate_values but the last: 1000,2000; or epochs: 30e,60e.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "piecewise"}},
       .refuse = refuse_other_than_boundaries,
       .heritage = Heritage::added},
      {.name = "one_cycle_rise",
       .type = real,
       .default_value = "0.3",
       .range = {.low = 0, .high = 1, .open_low = true, .open_high = true},
       .help = "Share of the run in which the rate of one_cycle rises.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "one_cycle"}},
       .heritage = Heritage::added},
      {.name = "one_cycle_momentum",
       .type = real,
       .range = Range::from_to_below(0, 1),
       .help = "Momentum at the highest rate of one_cycle; it starts and ends at the optimizer's own.",
       .acts_while = {{"learning_rate_decay_type", kOneOf, "one_cycle"},
                      {"optimizer", kOneOf, "momentum|rmsprop"}},
       .unless_set = "it does not change",
       .heritage = Heritage::added},
      {.name = "base_batch_size",
       .type = integer,
       .range = Range::between(1, kMostCount),
       .help =
           "Samples a step that the rates are meant for: they are multiplied by this run's samples a step "
           "(batch_size * accumulate_steps) over it. 256 for most recipes of ImageNet.",
       .unless_set = "the rates are taken as they are",
       .heritage = Heritage::added},
  };
}

std::vector<ParameterRow> optimizer_rows() {
  using enum ParameterType;
  constexpr Range kDecay = Range::from_to_below(0, 1);
  return {
      {.name = "optimizer",
       .type = text,
       .default_value = "rmsprop",
       .choices = "adadelta|adagrad|adam|ftrl|momentum|sgd|rmsprop|adamweightdecay",
       .help = "The rule by which a gradient changes the weights."},
      {.name = "adadelta_rho",
       .type = real,
       .default_value = "0.95",
       .range = kDecay,
       .help = "Decay of adadelta's averages.",
       .acts_while = {{"optimizer", kOneOf, "adadelta"}}},
      {.name = "adagrad_initial_accumulator_value",
       .type = real,
       .default_value = "0.1",
       .range = Range::above(0),
       .help = "Start of adagrad's sum of squares.",
       .acts_while = {{"optimizer", kOneOf, "adagrad"}}},
      {.name = "adam_beta1",
       .type = real,
       .default_value = "0.9",
       .range = kDecay,
       .help = "Decay of the first moment of adam and adamweightdecay.",
       .acts_while = {{"optimizer", kOneOf, "adam|adamweightdecay"}}},
      {.name = "adam_beta2",
       .type = real,
       .default_value = "0.999",
       .range = kDecay,
       .help = "Decay of the second moment of adam and adamweightdecay.",
       .acts_while = {{"optimizer", kOneOf, "adam|adamweightdecay"}}},
      {.name = "opt_epsilon",
       .type = real,
       .default_value = "1.0",
       .range = Range::above(0),
       .help = "Epsilon of adam, adamweightdecay, adadelta and rmsprop. The default suits rmsprop; the "
               "others are "
               "slowed by it, and the run says so unless it is set.",
       .acts_while = {{"optimizer", kOneOf, "adam|adamweightdecay|adadelta|rmsprop"}}},
      {.name = "ftrl_learning_rate_power",
       .type = real,
       .default_value = "-0.5",
       .range = Range::at_most(0),
       .help = "Power of ftrl's learning rate.",
       .acts_while = {{"optimizer", kOneOf, "ftrl"}}},
      {.name = "ftrl_initial_accumulator_value",
       .type = real,
       .default_value = "0.1",
       .range = Range::at_least(0),
       .help = "Start of ftrl's sum of squares.",
       .acts_while = {{"optimizer", kOneOf, "ftrl"}}},
      {.name = "ftrl_l1",
       .type = real,
       .default_value = "0.0",
       .range = Range::at_least(0),
       .help = "L1 strength of ftrl.",
       .acts_while = {{"optimizer", kOneOf, "ftrl"}}},
      {.name = "ftrl_l2",
       .type = real,
       .default_value = "0.0",
       .range = Range::at_least(0),
       .help = "L2 strength of ftrl.",
       .acts_while = {{"optimizer", kOneOf, "ftrl"}}},
      {.name = "momentum",
       .type = real,
       .default_value = "0.9",
       .range = kDecay,
       .help = "Momentum of the momentum optimizer (rmsprop has rmsprop_momentum).",
       .acts_while = {{"optimizer", kOneOf, "momentum"}}},
      {.name = "use_nesterov",
       .type = flag,
       .default_value = "False",
       .help = "Nesterov's momentum: a step goes along the gradient and the momentum that it has made.",
       .acts_while = {{"optimizer", kOneOf, "momentum"}},
       .heritage = Heritage::added},
      {.name = "rmsprop_momentum",
       .type = real,
       .default_value = "0.9",
       .range = kDecay,
       .help = "Momentum of rmsprop.",
       .acts_while = {{"optimizer", kOneOf, "rmsprop"}}},
      {.name = "rmsprop_decay",
       .type = real,
       .default_value = "0.9",
       .range = kDecay,
       .help = "Decay of rmsprop's mean square.",
       .acts_while = {{"optimizer", kOneOf, "rmsprop"}}},
  };
}

}  // namespace

std::vector<ParameterRow> training_rows() {
  std::vector<ParameterRow> rows;
  append_group(rows, "model", model_rows());
  append_group(rows, "learning rate", learning_rate_rows());
  append_group(rows, "optimizer", optimizer_rows());
  return rows;
}

}  // namespace fastnn::tools
