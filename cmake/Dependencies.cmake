# Everything comes from the system's packages; the summary line says what was found.

find_package(OpenMP REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(dnnl REQUIRED)
find_package(leveldb REQUIRED)

include(Cuda)

message(STATUS "fastnn ${PROJECT_VERSION}: oneDNN ${dnnl_VERSION}, zlib ${ZLIB_VERSION_STRING}, "
               "libpng ${PNG_VERSION_STRING}, fmt ${fmt_VERSION}, CUDA ${FASTNN_CUDA_FOUND}, "
               "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, build type ${CMAKE_BUILD_TYPE}, "
               "sanitizers '${FASTNN_SANITIZE}'")
