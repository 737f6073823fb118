# hwacha_warnings(TARGET): the warnings that every target of this project is compiled with.
function(hwacha_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Wcast-qual
    $<$<BOOL:${HWACHA_WERROR}>:-Werror>)
endfunction()
