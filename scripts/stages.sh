# shellcheck shell=bash
# The stages that scripts/test and scripts/prove are made of, and the book that is kept of them. To be sourced after lib.sh.
#
# A stage is a command run by `stage NAME COMMAND...`. It reports what ran by `account`; a stage that fails, and one that ran
# no test, counts as at least one failure. Stages do not stop each other. Commands in a stage end in `|| return 1` where
# going on makes no sense, since errexit is off there.
#
# shellcheck disable=SC2154,SC2015  # here, builds and jobs come from lib.sh; A && B || return 1

passed=0 failed=0
times=() table_logs=()
logs=$builds/logs
# CMake arguments of the builds in which the harness is tested as well.
# shellcheck disable=SC2034  # used by the scripts that source this file
with_harness=(-DHWACHA_BENCH=ON -DHWACHA_REQUIRE_BENCH_TESTS=ON)

begin_stages() {
  mkdir -p "$logs"
  rm -f "$logs"/*.log "$logs"/*.status
}

stage() {
  local name=$1 status=0 before_passed=$passed before_failed=$failed start=$SECONDS word=ok; shift
  say "$name"
  "$@" </dev/null || status=$?
  if [ $status != 0 ] && [ "$failed" = "$before_failed" ]; then failed=$((failed + 1)); fi
  if [ $status = 0 ] && [ "$passed" = "$before_passed" ] && [ "$failed" = "$before_failed" ]; then
    warn "$name: nothing ran"
    failed=$((failed + 1))
  fi
  [ "$failed" = "$before_failed" ] || word=FAILED
  times+=("$(printf '%-34s %-6s %5d s   %5d passed %3d failed' "$name" "$word" $((SECONDS - start)) \
    $((passed - before_passed)) $((failed - before_failed)))")
  echo "${times[-1]}"
}

# account WHERE LOG: adds the tests of a log to the totals, and its tables to the summary under that name of a place.
account() {
  local good bad
  read -r good bad < <(python3 -B "$here/scripts/results.py" count "$2")
  passed=$((passed + good)) failed=$((failed + bad))
  table_logs+=("$1	$2")
}

# Something that either holds or does not.
account_one() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

summary() {
  local entry
  say "checks by place and table"
  for entry in "${table_logs[@]}"; do
    python3 -B "$here/scripts/results.py" tables "${entry#*	}" | sed "s/^/${entry%%	*}	/"
  done | awk -F '\t' '
    { key = $1 "\t" $3; if (!(key in text)) order[++n] = key; text[key] = text[key] (text[key] == "" ? "" : ", ") $2 " " $4 }
    END { for (i = 1; i <= n; ++i) { split(order[i], k, "\t"); printf "%-32s %-15s %s\n", k[1], k[2], text[order[i]] } }'
  say "stages"
  printf '%s\n' "${times[@]}"
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# run_ctest WHERE BUILD ARGUMENT...: CTest in a build folder.
run_ctest() {
  local where=$1 name=$2 status=0 last=$builds/$2/Testing/Temporary/LastTest.log log; shift 2
  log=$logs/$name.$((++ctest_runs)).log
  rm -f "$last"
  (cd "$builds/$name" && ctest --output-on-failure --no-tests=error --parallel "$jobs" "$@") >"$log.ctest" 2>&1 || status=$?
  [ $status = 0 ] || what_failed "$log.ctest"
  [ -f "$last" ] || return 1
  cp "$last" "$log" && account "$where" "$log"
  return $status
}
ctest_runs=0

# run_program WHERE LOG COMMAND...: a test program outside of CTest.
run_program() {
  local where=$1 log=$logs/$2.log status=0; shift 2
  "$@" >"$log" 2>&1 </dev/null || status=$?
  finish_program "$where" "$log" $status
}
finish_program() {
  [ "$3" = 0 ] || what_failed "$2"
  account "$1" "$2"
  return "$3"
}

# levels_ran LOG LEVEL,LEVEL...: did checks run on tables of all these levels?
levels_ran() {
  local level status=0
  for level in ${2//,/ }; do
    python3 -B "$here/scripts/results.py" tables "$1" | grep -P "\t$level\t[1-9]" >/dev/null && continue
    warn "no check ran on a table of level $level"
    status=1
  done
  return $status
}

# The names of the test cases of a program that fit an extended regular expression, as a GoogleTest filter.
cases_like() {
  local regex=$1; shift
  "$@" --gtest_list_tests | awk -v regex="$regex" '
    /^[^ ].*\.( |$)/ { suite = $1; next }
    /^  / && suite != "" && (suite $1) ~ regex { printf "%s%s", n++ ? ":" : "", suite $1 }'
}

what_failed() {
  grep -E -A12 ': Failure$|^FAILED|Test +#.*(Failed|Timeout|Exception)|ERROR: .*Sanitizer|WARNING: ThreadSanitizer|runtime error' "$1" |
    head -n 80 >&2 || true
  grep -v '^not at hand' "$1" | tail -n 15 >&2 || true
  warn "all of it: $1"
}

native_stage() {
  local where=$1 name=$2 preset=$3; shift 3
  configure "$name" "$preset" && make "$name" || return 1
  run_ctest "$where" "$name" "$@"
}

# cross_stage WHERE PRESET ARGUMENT...: the test program of another processor under QEMU.
cross_stage() {
  local where=$1 preset=$2; shift 2
  configure "$preset" "$preset" && make "$preset" hwacha_tests hwacha_paper_test || return 1
  run_program "$where" "$preset" "$here/scripts/qemu-run" "$builds/$preset/tests/hwacha_tests" "$@" &&
    run_program "$where" "$preset-paper" "$here/scripts/qemu-run" "$builds/$preset/tests/bench/hwacha_paper_test"
}

# Emulators use one core and leave the others idle, so they may be started early and waited for later. With
# `emulator_after` naming a status file, one starts when that other is done.
start_emulator() {
  local model=$1 after=${emulator_after:-} guest=(); shift
  if [ -d "${HWACHA_VECTORS:-}" ]; then guest=(--file "$HWACHA_VECTORS" --env "HWACHA_VECTORS=$HWACHA_VECTORS"); fi
  (
    status=0
    while [ -n "$after" ] && [ ! -s "$after" ]; do sleep 1; done
    "$here/scripts/avx512-run" --cpu "$model" --timeout "${emulator_limit:-1200}" "${guest[@]}" "$@" \
      >"$logs/$model.log" 2>&1 </dev/null || status=$?
    echo $status >"$logs/$model.status"
  ) &
  emulator_pids[$model]=$!
}
declare -A emulator_pids=()
emulator_stage() {
  local model=$1
  [ -n "${emulator_pids[$model]:-}" ] || { warn "the emulator was not started, since there was no program for it"; return 1; }
  wait "${emulator_pids[$model]}" || true
  finish_program "Bochs $model" "$logs/$model.log" "$(cat "$logs/$model.status" 2>/dev/null || echo 123)"
}

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
