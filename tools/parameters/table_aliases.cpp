#include "tools/parameters/table_groups.h"

namespace fastnn::tools {

std::vector<ParameterAlias> all_aliases() {
  return {
      {.name = "log_trainable_vars_statistics", .target = "print_model_statistics", .of = "FastNN"},
      {.name = "taskId", .target = "task_index", .of = "FastNN"},
      {.name = "enable_paisora",
       .target = "enable_paisoar",
       .of = "FastNN's manual",
       .deprecated = "a misspelling of enable_paisoar in FastNN's manual; write enable_paisoar"},
      {.name = "train_dir", .target = "output_dir", .of = "TF-Slim"},
      {.name = "checkpoint_path", .target = "model_dir", .of = "TF-Slim", .file_target = "ckpt_file_name"},
      {.name = "max_number_of_steps", .target = "stop_at_step", .of = "TF-Slim"},
      {.name = "log_every_n_steps", .target = "log_loss_every_n_iters", .of = "TF-Slim"},
      {.name = "model", .target = "model_name", .of = "tf_cnn_benchmarks"},
      {.name = "data_dir", .target = "dataset_dir", .of = "tf_cnn_benchmarks"},
      {.name = "num_batches", .target = "stop_at_step", .of = "tf_cnn_benchmarks"},
      {.name = "display_every", .target = "log_loss_every_n_iters", .of = "tf_cnn_benchmarks"},
      {.name = "fp16_loss_scale", .target = "loss_scale", .of = "tf_cnn_benchmarks"},
      {.name = "num_gpus", .target = "num_clones", .of = "tf_cnn_benchmarks"},
  };
}

}  // namespace fastnn::tools
