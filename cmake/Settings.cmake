# Compiler settings of every target, and the function that makes one object library of a folder.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(FASTNN_TESTS "build the tests" ON)
set(FASTNN_SANITIZE "" CACHE STRING "sanitizers of all our code: address,undefined or thread")

option(FASTNN_FUZZ "fuzz targets: clang's libFuzzer, with data, engine and tools counting what code runs" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(fastnn_settings INTERFACE)
target_include_directories(fastnn_settings INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
# Designated initializers leave out what has a default. -ffp-contract=off: a sum must not change with the compiler's
# choice of fused instructions.
target_compile_options(fastnn_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers
                                                 -Werror -march=x86-64-v3 -ffp-contract=off)
if(FASTNN_SANITIZE)
  if(FASTNN_SANITIZE MATCHES "thread" AND FASTNN_SANITIZE MATCHES "address")
    message(FATAL_ERROR "FASTNN_SANITIZE: thread and address exclude each other; choose one, got ${FASTNN_SANITIZE}")
  endif()
  target_compile_options(fastnn_settings INTERFACE -fsanitize=${FASTNN_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(fastnn_settings INTERFACE -fsanitize=${FASTNN_SANITIZE})
  # gcc's own manual: with sanitizers this warning reports what is not there.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(fastnn_settings INTERFACE -Wno-maybe-uninitialized)
  endif()
  # clang reports each simd loop that it leaves as it is, which it does below -O2.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(fastnn_settings INTERFACE -Wno-pass-failed)
  endif()
endif()

# gcc 12 warns wrongly about overlapping copies in std::string (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(fastnn_settings INTERFACE -Wno-restrict)
endif()

configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/version.h)

# Libraries whose code a fuzzer should see itself reach: those that parse and decode.
set(FASTNN_FUZZED_LIBRARIES fastnn_base fastnn_checkpoint fastnn_data fastnn_tools)
function(fastnn_count_coverage target)
  if(FASTNN_FUZZ AND target IN_LIST FASTNN_FUZZED_LIBRARIES)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# fastnn_folder(NAME SOURCES file... LIBRARIES target...): the object library fastnn_NAME of one folder.
function(fastnn_folder name)
  cmake_parse_arguments(FOLDER "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(fastnn_${name} OBJECT ${FOLDER_SOURCES})
  target_link_libraries(fastnn_${name} PUBLIC fastnn_settings ${FOLDER_LIBRARIES})
  fastnn_count_coverage(fastnn_${name})
endfunction()
