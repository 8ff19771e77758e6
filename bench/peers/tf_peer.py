"""Runs steps of a net in TensorFlow's graph mode with TF-Slim on demand: a line in, their mean seconds out.

Driven by pair.py. Variables, batch and optimizer live in one session; a step is one session run. Needs the packages
tensorflow-cpu 2.15 and tf_slim.
"""

import os
import warnings

import peer

OPTIONS = peer.parser(__doc__).parse_args()
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.simplefilter("ignore")

import tensorflow.compat.v1 as tf  # noqa: E402
from keras.src.legacy_tf_layers import normalization  # noqa: E402
from tensorflow.python.layers import normalization as layers_normalization  # noqa: E402

# TF-Slim's batch norm looks for this module where the keras package of this version has it no more.
layers_normalization.normalization = normalization

import tf_slim as slim  # noqa: E402
from tf_slim.nets import inception, resnet_v1, vgg  # noqa: E402


def lenet(x, classes, training):
    x = slim.max_pool2d(slim.conv2d(x, 32, [5, 5]), [2, 2], 2)
    x = slim.max_pool2d(slim.conv2d(x, 64, [5, 5]), [2, 2], 2)
    x = slim.fully_connected(slim.flatten(x), 1024)
    return slim.fully_connected(slim.dropout(x, 0.5, is_training=training), classes, activation_fn=None)


def cifarnet(x, classes, training):
    x = slim.max_pool2d(slim.conv2d(x, 64, [5, 5]), [2, 2], 2)
    x = tf.nn.lrn(x, 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
    x = tf.nn.lrn(slim.conv2d(x, 64, [5, 5]), 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
    x = slim.flatten(slim.max_pool2d(x, [2, 2], 2))
    x = slim.dropout(slim.fully_connected(x, 384), 0.5, is_training=training)
    return slim.fully_connected(slim.fully_connected(x, 192), classes, activation_fn=None)


def mobilenet_v1(x, classes, training):
    norm = dict(normalizer_fn=slim.batch_norm, activation_fn=tf.nn.relu6,
                normalizer_params=dict(is_training=training, scale=True, epsilon=0.001))
    x = slim.conv2d(x, 32, [3, 3], 2, **norm)
    for stride, filters in ((1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512), (1, 512), (1, 512), (1, 512),
                            (1, 512), (1, 512), (2, 1024), (1, 1024)):
        x = slim.separable_conv2d(x, None, [3, 3], 1, stride, **norm)
        x = slim.conv2d(x, filters, [1, 1], **norm)
    x = slim.dropout(slim.flatten(tf.reduce_mean(x, [1, 2])), 0.999, is_training=training)
    return slim.fully_connected(x, classes, activation_fn=None)


def scoped(scope, build):
    def logits(x, classes, training):
        with slim.arg_scope(scope()):
            outputs, end_points = build(x, classes, is_training=training)
        outputs = outputs if outputs.shape.rank == 2 else tf.squeeze(outputs, [1, 2])
        auxiliary = end_points.get("AuxLogits")
        return (outputs, auxiliary) if training and auxiliary is not None else outputs

    return logits


NETS = {
    "lenet": (lenet, 28),
    "cifarnet": (cifarnet, 32),
    "mobilenet_v1": (mobilenet_v1, 224),
    "resnet_v1_50": (scoped(resnet_v1.resnet_arg_scope, resnet_v1.resnet_v1_50), 224),
    "inception_v3": (scoped(inception.inception_v3_arg_scope, inception.inception_v3), 299),
    "vgg_16": (scoped(vgg.vgg_arg_scope, vgg.vgg_16), 224),
}


def build():
    """The operation of a step."""
    if OPTIONS.model_name not in NETS:
        raise SystemExit(f"no net {OPTIONS.model_name} here; there are {', '.join(NETS)}")
    logits_of, size = NETS[OPTIONS.model_name]
    training = OPTIONS.phase == "training"
    images = tf.get_variable("images", (OPTIONS.batch_size, size, size, 3), trainable=False,
                             initializer=tf.random_uniform_initializer(-1.0, 1.0))
    logits = logits_of(images, OPTIONS.num_classes, training)
    heads = logits if isinstance(logits, tuple) else (logits,)
    if not training:
        return tf.nn.softmax(heads[0]).op
    labels = tf.range(OPTIONS.batch_size) % OPTIONS.num_classes
    losses = [tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=head))
              for head in heads]
    loss = losses[0] + 0.4 * sum(losses[1:])
    optimizer = tf.train.MomentumOptimizer(1e-6, 0.9)
    if OPTIONS.dtype == "bf16":
        optimizer = tf.mixed_precision.enable_mixed_precision_graph_rewrite(optimizer)
    return slim.learning.create_train_op(loss, optimizer)


def configuration():
    config = tf.ConfigProto(intra_op_parallelism_threads=OPTIONS.threads, inter_op_parallelism_threads=1)
    if OPTIONS.dtype == "bf16":
        config.graph_options.rewrite_options.auto_mixed_precision_onednn_bfloat16 = 1
    return config


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.disable_v2_behavior()
    step = build()
    with tf.Session(config=configuration()) as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        peer.serve(f"TensorFlow {tf.__version__}", lambda: session.run(step), OPTIONS.steps)


if __name__ == "__main__":
    main()
