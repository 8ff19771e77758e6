"""Makes batches with tf.data as TF-Slim's preprocessing does; driven by input.py. Needs tensorflow-cpu 2.15.

--fused decodes only the part that is wanted, which TF-Slim does not.
"""

import os

import input_peer

PARSER = input_peer.parser(__doc__)
PARSER.add_argument("--fused", action="store_true")
OPTIONS = PARSER.parse_args()
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402

SIZE = OPTIONS.image_size
MEAN = (123.68, 116.78, 103.94)
RESIZES = ("bilinear", "nearest", "bicubic", "area")


def encoded_of(record):
    return tf.io.parse_single_example(record, {"image/encoded": tf.io.FixedLenFeature((), tf.string),
                                               "image/class/label": tf.io.FixedLenFeature((), tf.int64)})


def distorted_crop(encoded):
    """The part of the image that sample_distorted_bounding_box chooses, as bytes."""
    image = None if OPTIONS.fused else tf.image.decode_jpeg(encoded, channels=3)
    shape = tf.image.extract_jpeg_shape(encoded) if OPTIONS.fused else tf.shape(image)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape, tf.zeros((1, 0, 4)), min_object_covered=0.1, aspect_ratio_range=(0.75, 1.33),
        area_range=(0.05, 1.0), max_attempts=100, use_image_if_no_bounding_boxes=True)
    if OPTIONS.fused:
        return tf.image.decode_and_crop_jpeg(encoded, tf.concat((begin[:2], size[:2]), 0), channels=3)
    return tf.slice(image, begin, size)


def resized(image):
    def by(method):
        return lambda: tf.compat.v1.image.resize(image, (SIZE, SIZE), method=method)

    if OPTIONS.preprocessing == "inception":
        return by("bilinear")()
    choice = tf.random.uniform((), 0, 4, tf.int32)
    return tf.switch_case(choice, [by(method) for method in RESIZES])


def distorted_colour(image):
    def brightness(x):
        return tf.image.random_brightness(x, 32.0 / 255)

    def saturation(x):
        return tf.image.random_saturation(x, 0.5, 1.5)

    def hue(x):
        return tf.image.random_hue(x, 0.2)

    def contrast(x):
        return tf.image.random_contrast(x, 0.5, 1.5)

    def chain(*steps):
        def run():
            x = image
            for step in steps:
                x = step(x)
            return x
        return run

    if OPTIONS.preprocessing == "inception":
        image = chain(brightness, saturation)()
    else:
        image = tf.switch_case(tf.random.uniform((), 0, 4, tf.int32),
                               [chain(brightness, saturation, hue, contrast),
                                chain(saturation, brightness, contrast, hue),
                                chain(contrast, hue, brightness, saturation),
                                chain(hue, saturation, contrast, brightness)])
    return (tf.clip_by_value(image, 0.0, 1.0) - 0.5) * 2


def inception(encoded):
    image = tf.image.convert_image_dtype(distorted_crop(encoded), tf.float32)
    image = tf.ensure_shape(resized(image), (SIZE, SIZE, 3))
    return distorted_colour(tf.image.random_flip_left_right(image))


def vgg(encoded):
    image = tf.image.decode_jpeg(encoded, channels=3)
    side = tf.random.uniform((), 256, 513, tf.int32)
    extents = tf.cast(tf.shape(image)[:2], tf.float32)
    scale = tf.cast(side, tf.float32) / tf.reduce_min(extents)
    image = tf.compat.v1.image.resize_bilinear(image[None], tf.cast(tf.round(extents * scale), tf.int32))[0]
    image = tf.image.random_crop(image, (SIZE, SIZE, 3))
    return tf.image.random_flip_left_right(image) - MEAN


def sample(record):
    features = encoded_of(record)
    make = vgg if OPTIONS.preprocessing == "vgg" else inception
    return make(features["image/encoded"]), features["image/class/label"]


def batches():
    options = tf.data.Options()
    options.threading.private_threadpool_size = OPTIONS.threads
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = False
    data = tf.data.TFRecordDataset(OPTIONS.files.split(",")).repeat().shuffle(256)
    data = data.map(sample, num_parallel_calls=OPTIONS.threads)
    return data.batch(OPTIONS.batch_size, drop_remainder=True).prefetch(input_peer.PREFETCH).with_options(options)


def main():
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(OPTIONS.threads)
    iterator = iter(batches())
    title = f"TensorFlow {tf.__version__}{' decode_and_crop' if OPTIONS.fused else ''}"
    input_peer.serve(title, lambda: next(iterator), OPTIONS.batches)


if __name__ == "__main__":
    main()
