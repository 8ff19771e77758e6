# Everything comes from the system's packages; the summary line says what was found.

find_package(OpenMP REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(GIF REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(dnnl REQUIRED)
find_package(leveldb REQUIRED)

include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES JPEG::JPEG)
check_cxx_symbol_exists(jpeg_crop_scanline "cstdio;jpeglib.h" FASTNN_HAVE_JPEG_TURBO)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT FASTNN_HAVE_JPEG_TURBO)
  message(FATAL_ERROR "expected libjpeg-turbo; the JPEG library found (${JPEG_LIBRARIES}) has no jpeg_crop_scanline")
endif()

include(Cuda)

message(STATUS "fastnn ${PROJECT_VERSION}: oneDNN ${dnnl_VERSION}, zlib ${ZLIB_VERSION_STRING}, "
               "libpng ${PNG_VERSION_STRING}, giflib ${GIF_VERSION}, fmt ${fmt_VERSION}, CUDA ${FASTNN_CUDA_FOUND}, "
               "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, build type ${CMAKE_BUILD_TYPE}, "
               "sanitizers '${FASTNN_SANITIZE}'")
