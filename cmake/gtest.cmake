# The targets gtest and gmock, built from the distribution's GoogleTest sources (Debian: package googletest) with the
# compiler, architecture and sanitizers of this build: one way for native and cross builds.
include_guard(GLOBAL)

set(HWACHA_GOOGLETEST "/usr/src/googletest" CACHE PATH "GoogleTest's source folder")
if(NOT EXISTS "${HWACHA_GOOGLETEST}/CMakeLists.txt")
  message(FATAL_ERROR "No GoogleTest sources in ${HWACHA_GOOGLETEST}: install the package googletest, or set "
    "HWACHA_GOOGLETEST to a source folder, or leave the tests out with -DHWACHA_TESTS=OFF")
endif()

block()
  set(INSTALL_GTEST OFF CACHE INTERNAL "")
  set(BUILD_GMOCK ON CACHE INTERNAL "")
  set(BUILD_SHARED_LIBS OFF)
  # GoogleTest 1.12 asks for an older CMake than its policies like; what it says about that is not about this project.
  set(CMAKE_WARN_DEPRECATED OFF CACHE INTERNAL "")
  add_subdirectory("${HWACHA_GOOGLETEST}" "${CMAKE_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL SYSTEM)
  foreach(target IN ITEMS gtest gtest_main gmock gmock_main)
    target_compile_options(${target} PRIVATE -w)
  endforeach()
endblock()
