# What is installed: both libraries, the headers, the CMake package, the pkg-config file and the tool. Everything in the
# package and the pkg-config file is relative to where the files lie, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/hwacha" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS hwacha_static hwacha_shared EXPORT hwacha-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/hwacha")
install(EXPORT hwacha-targets NAMESPACE hwacha:: DESTINATION "${package}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hwacha-config.cmake.in"
  "${PROJECT_BINARY_DIR}/install/hwacha-config.cmake" INSTALL_DESTINATION "${package}"
  NO_SET_AND_CHECK_MACRO)
# While the major number is 0, a minor number may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/install/hwacha-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/install/hwacha-config.cmake" "${PROJECT_BINARY_DIR}/install/hwacha-config-version.cmake"
  DESTINATION "${package}")

if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(HWACHA_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(HWACHA_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(HWACHA_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  set(up "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${up}" OUTPUT_VARIABLE up)
  set(HWACHA_PC_PREFIX "\${pcfiledir}/${up}")
  set(HWACHA_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(HWACHA_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/hwacha.pc.in" "${PROJECT_BINARY_DIR}/install/hwacha.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/install/hwacha.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(TARGET hwacha_tool)
  set_target_properties(hwacha_tool PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS hwacha_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "$<TARGET_FILE_DIR:hwacha_tool>/lshsum" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
