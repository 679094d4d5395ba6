# The page's script and styles: fetched and bundled in the build tree, the source tree stays as it is.
#
# smsim_web_bundle(<variable>): the generated C++ file, or "" where there will be no HTML pages. Packages are fetched
# while configuring, once for each package-lock.json: so a machine without a network learns it here and, with
# SMSIM_WEB=AUTO, builds all the rest.

function(smsim_without_web reason)
  if(SMSIM_WEB STREQUAL "AUTO")
    message(STATUS "Optional HTML pages: ${reason}, so 'smsim run --html' is left out (SMSIM_WEB=ON makes this an error)")
  else()
    message(FATAL_ERROR "HTML pages: ${reason}. SMSIM_WEB=OFF or AUTO builds without them.")
  endif()
endfunction()

# Copies package.json and its lock into <folder> and fetches what they name; sets <failure> to why it failed, or "".
function(smsim_fetch_packages source folder failure)
  set(${failure} "" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source}/package-lock.json)
  file(SHA256 ${source}/package-lock.json wanted)
  if(EXISTS ${folder}/fetched.txt)
    file(READ ${folder}/fetched.txt fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "Fetching the packages of ${source}/package-lock.json with npm")
  file(COPY ${source}/package.json ${source}/package-lock.json DESTINATION ${folder})
  execute_process(
    COMMAND ${SMSIM_NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=1
    WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT code EQUAL 0)
    file(WRITE ${folder}/npm.log "${output}")
    set(${failure} "'npm ci' failed (no network?), see ${folder}/npm.log" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${folder}/fetched.txt ${wanted})
endfunction()

function(smsim_web_bundle variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT SMSIM_WEB) # OFF
    message(STATUS "Optional HTML pages: switched off")
    return()
  endif()
  if(NOT SMSIM_NODE OR NOT SMSIM_NPM)
    smsim_without_web("node or npm is missing")
    return()
  endif()
  execute_process(COMMAND ${SMSIM_NODE} -p "process.versions.node.split('.')[0]"
                  OUTPUT_VARIABLE major OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(major LESS 18)
    smsim_without_web("node ${major} is older than 18")
    return()
  endif()
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/web)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/web)
  smsim_fetch_packages(${source} ${folder} failure)
  if(failure)
    smsim_without_web("${failure}")
    return()
  endif()
  message(STATUS "Optional HTML pages: found node ${major}")
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS RELATIVE ${source} ${source}/src/*)
  list(TRANSFORM parts PREPEND ${source}/ OUTPUT_VARIABLE files)
  set(bundle ${CMAKE_CURRENT_BINARY_DIR}/html_bundle.cpp)
  add_custom_command(
    OUTPUT ${bundle}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/src ${folder}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/build.mjs ${folder}
    COMMAND ${SMSIM_NODE} build.mjs ${bundle}
    WORKING_DIRECTORY ${folder}
    DEPENDS ${files} ${source}/build.mjs ${folder}/fetched.txt
    COMMENT "Bundling the script of HTML pages"
    VERBATIM)
  set(${variable} ${bundle} PARENT_SCOPE)
endfunction()
