# FASTNN_CUDA=ON asks for the CUDA backend, which does not exist yet: refused, rather than building without it.

option(FASTNN_CUDA "build the CUDA backend" OFF)
set(FASTNN_CUDA_FOUND off)
if(FASTNN_CUDA)
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND)
    set(FASTNN_CUDA_FOUND ${CUDAToolkit_VERSION})
  else()
    set(FASTNN_CUDA_FOUND "toolkit not found")
  endif()
  message(FATAL_ERROR "[cuda] FASTNN_CUDA=ON: fastnn ${PROJECT_VERSION} has no CUDA backend yet "
                      "(CUDA: ${FASTNN_CUDA_FOUND}). Configure without FASTNN_CUDA: cmake --preset release")
endif()
