# libladder_gemm.so: what `cmake --install` puts into a system, with a CMake package, a pkg-config
# file and libladder_gemm.a. Only the functions of ladder_gemm.h are visible in it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# The header is installed as it is, so it repeats the project's version.
file(READ ${folder}/ladder_gemm.h gemm_header)
string(REGEX MATCH "VERSION_MAJOR ([0-9]+).*VERSION_MINOR ([0-9]+)" found "${gemm_header}")
if(NOT LADDER_VERSION MATCHES "^${CMAKE_MATCH_1}[.]${CMAKE_MATCH_2}[.]")
  message(FATAL_ERROR "ladder_gemm.h has another version than CITATION.cff, ${LADDER_VERSION}")
endif()
string(REGEX MATCH "^[0-9]+" gemm_major ${LADDER_VERSION})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/ladder_gemm.h)
add_library(ladder_gemm_so SHARED ${library_objects})
set_target_properties(ladder_gemm_so PROPERTIES OUTPUT_NAME ladder_gemm EXPORT_NAME ladder_gemm
                      VERSION ${LADDER_VERSION} SOVERSION ${gemm_major} LINKER_LANGUAGE CUDA
                      LINK_DEPENDS ${folder}/install/ladder_gemm.map)
target_include_directories(ladder_gemm_so INTERFACE $<BUILD_INTERFACE:${folder}>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(ladder_gemm_so PUBLIC CUDA::cublas CUDA::cudart PRIVATE m)
target_link_options(ladder_gemm_so PRIVATE LINKER:--version-script=${folder}/install/ladder_gemm.map
                    LINKER:--no-undefined)
install(FILES $<TARGET_FILE:ladder_gemm> DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ladder_gemm_so EXPORT ladder_gemm-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${folder}/ladder_gemm.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ladder_gemm-targets NAMESPACE ladder_gemm::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ladder_gemm)
configure_package_config_file(${folder}/install/ladder_gemm-config.cmake.in
  ${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ladder_gemm
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm-config-version.cmake
                                 VERSION ${LADDER_VERSION} COMPATIBILITY SameMajorVersion)
list(GET CUDAToolkit_INCLUDE_DIRS 0 cuda_include)
set(cuda_lib ${CUDAToolkit_LIBRARY_DIR})
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${folder}/install/ladder_gemm.pc.in ${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm-config.cmake
              ${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ladder_gemm)
install(FILES ${PROJECT_BINARY_DIR}/ladder_gemm/ladder_gemm.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# libladder_gemm_preload.so: see preload.c. The CUDA runtime is inside, cuBLAS is the program's own.
add_library(ladder_gemm_preload SHARED ${folder}/preload/preload.c ${library_objects})
set_target_properties(ladder_gemm_preload PROPERTIES LINKER_LANGUAGE CUDA
                      CUDA_RUNTIME_LIBRARY Static LINK_DEPENDS ${folder}/preload/preload.map)
target_include_directories(ladder_gemm_preload PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${PROJECT_SOURCE_DIR})
target_link_libraries(ladder_gemm_preload PRIVATE CUDA::cudart_static ${CMAKE_DL_LIBS} m)
target_link_options(ladder_gemm_preload PRIVATE LINKER:--version-script=${folder}/preload/preload.map
                    LINKER:--no-undefined)
install(TARGETS ladder_gemm_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
add_dependencies(gpu-programs ladder_gemm_preload ladder_gemm_so)
