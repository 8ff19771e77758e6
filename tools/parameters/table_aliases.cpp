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
      {.name = "task", .target = "task_index", .of = "TF-Slim"},
      {.name = "worker_replicas", .target = "worker_count", .of = "TF-Slim"},
      {.name = "num_ps_tasks", .target = "ps_count", .of = "TF-Slim"},
      {.name = "learning_rate_decay_step", .target = "learning_rate_decay_steps", .of = "DeepLab"},
      {.name = "max_steps", .target = "stop_at_step", .of = "TensorFlow's tutorials"},
      {.name = "initial_learning_rate", .target = "learning_rate", .of = "TensorFlow's tutorials"},
      {.name = "model", .target = "model_name", .of = "tf_cnn_benchmarks"},
      {.name = "data_dir", .target = "dataset_dir", .of = "tf_cnn_benchmarks"},
      {.name = "num_batches", .target = "stop_at_step", .of = "tf_cnn_benchmarks"},
      {.name = "display_every", .target = "log_loss_every_n_iters", .of = "tf_cnn_benchmarks"},
      {.name = "fp16_loss_scale", .target = "loss_scale", .of = "tf_cnn_benchmarks"},
      {.name = "data_name", .target = "dataset_name", .of = "tf_cnn_benchmarks"},
      {.name = "init_learning_rate", .target = "learning_rate", .of = "tf_cnn_benchmarks"},
      {.name = "minimum_learning_rate", .target = "end_learning_rate", .of = "tf_cnn_benchmarks"},
      {.name = "rmsprop_epsilon", .target = "opt_epsilon", .of = "tf_cnn_benchmarks"},
      {.name = "save_model_steps", .target = "save_checkpoints_steps", .of = "tf_cnn_benchmarks"},
      {.name = "save_model_secs", .target = "save_interval_secs", .of = "tf_cnn_benchmarks"},
      {.name = "tf_random_seed", .target = "seed", .of = "tf_cnn_benchmarks"},
      {.name = "num_intra_threads", .target = "intra_op_parallelism_threads", .of = "tf_cnn_benchmarks"},
      {.name = "num_inter_threads", .target = "inter_op_parallelism_threads", .of = "tf_cnn_benchmarks"},
      {.name = "datasets_num_private_threads",
       .target = "num_preprocessing_threads",
       .of = "tf_cnn_benchmarks"},
      {.name = "server_protocol", .target = "protocol", .of = "tf_cnn_benchmarks"},
      {.name = "num_eval_batches", .target = "max_num_batches", .of = "tf_cnn_benchmarks"},
      {.name = "num_gpus", .target = "num_clones", .of = "tf_cnn_benchmarks"},
  };
}

}  // namespace fastnn::tools
