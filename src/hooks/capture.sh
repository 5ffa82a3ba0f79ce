# shellcheck shell=sh
# One hook call of an agent: writes its payload to a new spool file; node answers where an answer is needed.
# Sourced by the shell that the agent starts anyway, which saves a second one:
#     set -- <agent> <event> <via>; command . capture.sh
# Exits with 0, or with 2 to block. Runs in dash, bash 3.2 and busybox sh. Written by Cairn @VERSION@.
umask 077
# These are meant for the agent's own node. Only Cairn's worker may need the certificates.
cairn_certificates=$NODE_EXTRA_CA_CERTS
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
cairn_home=${CAIRN_HOME:-@HOME@}
cairn_command=@COMMAND@
cairn_node=@NODE@
cairn_hook=@HOOK@
cairn_worker=@WORKER@
# Where failures are counted while the home cannot be written.
cairn_away=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}/cairn-@UID@

[ -z "$CAIRN_GUARD" ] || exit 0
[ ! -e "$cairn_home/paused/all" ] || exit 0
# Another agent that also loads these hooks is captured by its own hooks, or not at all.
case $1 in
@SHARED@
esac

cairn_has_node() { [ -r "$cairn_hook" ] && { [ -x "$cairn_node" ] || cairn_find_node; }; }
# Looks for another node if the recorded one no longer exists.
cairn_find_node() {
  [ -r "${cairn_hook%hook.cjs}find-node.sh" ] && command . "${cairn_hook%hook.cjs}find-node.sh" 2>/dev/null
}

cairn_wake() {
  if [ -z "$CAIRN_NO_WORKER" ] && cairn_has_node; then
    CAIRN_HOME=$cairn_home NODE_EXTRA_CA_CERTS=$cairn_certificates \
      @DETACH@ "$cairn_node" @OPTIONS@ "$cairn_worker" @WAKE@ </dev/null >/dev/null 2>&1 3<&- 4>&- &
  fi
}

# Lets node answer the event on descriptor 3. Node exits with 0; with 2, which the agent understands; with 3 to have
# the worker started (which would cost node 10 ms); or by SIGALRM (142) if a folder does not answer. Anything else
# means that node could not run: the event is safe, but answers are missing.
cairn_answer() {
  # Otherwise the shell reports a killed process to the agent. `command` keeps a failing exec from ending the shell.
  command exec 4>&2 || command exec 4>/dev/null
  command exec 2>/dev/null
  cairn_status=127
  if cairn_has_node; then
    (
      # One thread is enough to check a folder, and starts faster than the usual four.
      export CAIRN_HOME="$cairn_home" CAIRN_SHELL_WAKES=1 UV_THREADPOOL_SIZE=1 \
        CAIRN_AGENT_PID="${cairn_agent_pid-$PPID}"
      exec "$cairn_node" "$cairn_hook" "$@" <&3 2>&4 3<&- 4>&-
    ) &
    # When its time limit is over, an agent ends this shell and waits until no process holds its pipes, so node must be
    # killed too. A shell does not run the trap while it waits for a foreground job.
    trap 'kill -KILL $!; exit 0' TERM
    wait $!
    cairn_status=$?
    trap - TERM
  fi
  case $cairn_status in
    0 | 2 | 3 | 142) [ ! -s "$cairn_node_failures" ] || true >|"$cairn_node_failures" ;;
    *) cairn_count_node_failure "$@" ;;
  esac
}

# Warns the person once per streak.
cairn_node_failures=$cairn_home/state/node-failures
cairn_outcome='kept, but not answered'
cairn_count_node_failure() {
  case $1:$2 in
    @WORDLESS@) return 0 ;;
  esac
  cairn_count=1
  while read -r cairn_line; do cairn_count=$((cairn_count + 1)); done <"$cairn_node_failures"
  echo "exit code $cairn_status" >>"$cairn_node_failures" || return 0
  [ $cairn_count -eq "${CAIRN_HOOK_FAIL_LOUD_THRESHOLD:-3}" ] || return 0
  case $1 in
    @MESSAGES@)
      printf '{"systemMessage":"Cairn: node failed %s times in a row (exit code %s), and events are %s. Run: %s doctor"}\n' \
        $cairn_count $cairn_status "$cairn_outcome" "$cairn_command"
      ;;
  esac
}

# During a pause, only node can decide whether this event may be written at all.
if [ -e "$cairn_home/paused" ]; then
  cairn_outcome='lost, because only node knows what is paused'
  cairn_answer "$@" 3<&0
  [ $cairn_status -ne 3 ] || cairn_wake
  [ $cairn_status -ne 2 ] || exit 2
  exit 0
fi

case $1 in
@SESSIONS@
  *) cairn_session= ;;
esac
case $cairn_session in
  '' | *[!0-9A-Za-z_-]* | ?????????????????????????????????????????*) cairn_session=none ;;
esac

cairn_needs_answer() {
  [ ! -e "$cairn_home/state/outbox-for/$cairn_session" ] || return 0
  case $1 in
    @HIDDEN@) ;;
    *) [ ! -e "$cairn_home/state/outbox" ] || return 0 ;;
  esac
  case $1:$2 in
    @ANSWERED@) return 0 ;;
    @PROMPTS@) [ ! -e "$cairn_home/state/quiet-prompts" ] ;;
    *) return 1 ;;
  esac
}
cairn_answers=
! cairn_needs_answer "$@" || cairn_answers=always

# Before a file is read, the shell needs its path. A payload is one line, so `read` is enough.
cairn_files=$cairn_home/state/known-files/$cairn_session
cairn_line=
cairn_rest=all
cairn_reads_file() {
  case $1:$2 in
    @READS@) [ -r "$cairn_files" ] ;;
    *) return 1 ;;
  esac
}
if cairn_reads_file "$@"; then
  if IFS= read -r cairn_line; then
    cairn_line="$cairn_line
"
    if IFS= read -r cairn_more; then
      cairn_line="$cairn_line$cairn_more
"
    else
      cairn_line=$cairn_line$cairn_more
      cairn_rest=
    fi
  else
    cairn_rest=
  fi
  [ -n "$cairn_rest" ] || cairn_answers=${cairn_answers:-known-file}
fi
cairn_payload() { cairn_taken=1 && printf %s "$cairn_line" && { [ -z "$cairn_rest" ] || cat; }; }

# The list of known files is a shell script that tests cairn_path.
cairn_knows_file() {
  cairn_path=${cairn_line#*'"file_path":"'}
  cairn_path=${cairn_path%%'"'*}
  cairn_known=
  . "$cairn_files" 2>/dev/null
  [ -n "$cairn_known" ]
}

# A unique name: the same name means the same event.
read -r cairn_id 2>/dev/null </proc/sys/kernel/random/uuid || cairn_id=$(date +%s)-$$-${RANDOM:-0}
cairn_name=$cairn_session.$cairn_id
cairn_file=$cairn_home/spool/$cairn_name
case $CLAUDE_PROJECT_DIR in
  *'
'*) CLAUDE_PROJECT_DIR= ;;
esac

# The end mark holds the file's own name: a file without it is incomplete, and intake skips it.
cairn_header() { printf 'cairn1 %s %s %s %s\n' "$1" "$2" "$3" "$CLAUDE_PROJECT_DIR"; }
cairn_end() { printf '\n#%s\n' "$cairn_name"; }

cairn_reset_failures() {
  [ ! -s "$cairn_home/state/failures" ] || true 2>/dev/null >|"$cairn_home/state/failures"
  if [ -s "$cairn_away/failures" ] && [ -O "$cairn_away" ] && [ ! -L "$cairn_away" ]; then
    true 2>/dev/null >|"$cairn_away/failures"
  fi
}

cairn_began=
cairn_taken=
cairn_status=
if [ -z "$cairn_answers" ]; then
  cairn_write() {
    { cairn_began=1 && cairn_header "$@" && cairn_payload && cairn_end; } 2>/dev/null >"$cairn_file" &&
      cairn_reset_failures
  }
else
  # Node answers from the spool file. It is opened before the end mark is written, because from then on intake may
  # remove it at any moment.
  cairn_write() {
    { cairn_began=1 && cairn_header "$@" && cairn_payload; } 2>/dev/null >"$cairn_file" &&
      cairn_end_and_answer "$@" 3<"$cairn_file"
  }
  cairn_end_and_answer() {
    cairn_end 2>/dev/null >>"$cairn_file" || return 1
    # The event is stored from here on.
    cairn_reset_failures
    [ $cairn_answers = always ] || cairn_knows_file || return 0
    cairn_answer "$@" handed-over "$cairn_name"
    return 0
  }
fi

cairn_make_spool() { [ ! -d "$cairn_home/spool" ] && mkdir -p "$cairn_home/spool" 2>/dev/null; }

set -C
if ! cairn_write "$@" && ! { cairn_make_spool && cairn_write "$@"; }; then
  [ -z "$cairn_began" ] || rm -f "$cairn_file" 2>/dev/null
  cairn_outcome='lost, because the spool cannot be written'
  # Node can still answer: from the line, or from stdin if nothing was read from it. A full disk refuses the header.
  if [ -n "$cairn_line" ]; then
    cairn_answer "$@" not-handed-over 3<<CAIRN_LINE
$cairn_line
CAIRN_LINE
  elif [ -z "$cairn_taken" ]; then
    cairn_answer "$@" not-handed-over 3<&0
  fi
  # The here-document may need a file on the full disk.
  [ -n "$cairn_status" ] || cairn_answer "$@" not-handed-over 3</dev/null
  [ $cairn_status -ne 2 ] || exit 2
  exit 0
fi

cairn_has_work() {
  [ "$cairn_status" != 3 ] || return 0
  case $1:$2 in
    @ENDS@) return 0 ;;
    # If node answered, its status has already told whether there is work.
    @PROMPTS@) [ -z "$cairn_status" ] ;;
    *) return 1 ;;
  esac
}
! cairn_has_work "$@" || cairn_wake
[ "$cairn_status" != 2 ] || exit 2
exit 0
