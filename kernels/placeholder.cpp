#include "kernels/philox.h"
