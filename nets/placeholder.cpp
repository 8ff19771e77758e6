#include "engine/core/error.h"
