# The CUDA backend is built where nvcc is found. FASTNN_CUDA=on insists on it, off leaves it out.

set(FASTNN_CUDA auto CACHE STRING "build the CUDA backend: auto (where nvcc is found), on or off")
set(FASTNN_CUDA_ARCHITECTURES 90 CACHE STRING
  "GPUs that get machine code, as 75;80;90; PTX of the same serves newer ones")

set(FASTNN_CUDA_FOUND off)
if(FASTNN_CUDA)
  find_program(FASTNN_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(FASTNN_NVCC)
    set(CMAKE_CUDA_COMPILER ${FASTNN_NVCC})
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
    set(CMAKE_CUDA_ARCHITECTURES ${FASTNN_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    set(FASTNN_CUDA_FOUND "${CMAKE_CUDA_COMPILER_VERSION} for sm_${FASTNN_CUDA_ARCHITECTURES}")
  elseif(NOT FASTNN_CUDA STREQUAL "auto")
    message(FATAL_ERROR "[cuda] FASTNN_CUDA=${FASTNN_CUDA}: expected nvcc; it is neither on the PATH nor below "
                        "CUDA_PATH or /usr/local/cuda. Install the CUDA toolkit, or configure with FASTNN_CUDA=off")
  else()
    set(FASTNN_CUDA_FOUND "off, no nvcc")
  endif()
endif()

if(CMAKE_CUDA_COMPILER)
  # What CMake before 3.26 does not know of nvcc.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  if(CCACHE)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
  endif()
  add_library(fastnn_cuda_settings INTERFACE)
  target_include_directories(fastnn_cuda_settings INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  # Device code calls the constexpr formulas that it shares with the CPU. -fmad=false, as -ffp-contract=off on the
  # host: a value that is computed twice, as the mask of a gradient is, must have the same bits.
  target_compile_options(fastnn_cuda_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -fmad=false -Werror=all-warnings
      -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-Werror -Xptxas=--warn-on-spills,-Werror>)
endif()
