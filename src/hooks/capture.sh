# shellcheck shell=sh
# One hook call of an agent that needs no answer: its payload goes into a file of its own, and that is all.
# Sourced by the shell which the agent starts anyway, so that no second one is needed:
#     set -- <agent> <event> <via>; command . capture.sh
# Ends with 0 whatever happens. Runs in dash, bash 3.2 and busybox sh. Written by Cairn @VERSION@.
umask 077
# What is meant for the agent's own node is not meant for ours; only the worker may have to know certificates.
cairn_certificates=$NODE_EXTRA_CA_CERTS
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
cairn_home=${CAIRN_HOME:-@HOME@}
cairn_node=@NODE@
cairn_hook=@HOOK@
cairn_worker=@WORKER@
# Where failures are counted while the home cannot be written.
cairn_away=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}/cairn-@UID@

[ -z "$CAIRN_GUARD" ] || exit 0
[ ! -e "$cairn_home/paused/all" ] || exit 0
# Other agents load Claude Code's hooks too; they are captured by hooks of their own, or not at all.
[ "$1" != claude-code ] || [ -n "$CLAUDECODE" ] || [ -z "$CURSOR_VERSION$COPILOT_CLI" ] || exit 0

cairn_has_node() { [ -x "$cairn_node" ] && [ -r "$cairn_hook" ]; }

cairn_wake() {
  if [ -z "$CAIRN_NO_WORKER" ]; then
    CAIRN_HOME=$cairn_home NODE_EXTRA_CA_CERTS=$cairn_certificates \
      @DETACH@ "$cairn_node" "$cairn_worker" @WAKE@ </dev/null >/dev/null 2>&1 &
  fi
}

# Hands the call over to node, which may answer. Its exit status counts only where it is meant to: 2, which
# the agent understands, and 3, for which the shell starts the worker (node would need 10 ms for that).
cairn_answer() {
  CAIRN_HOME=$cairn_home CAIRN_SHELL_WAKES=1 "$cairn_node" "$cairn_hook" "$@"
  case $? in
    2) exit 2 ;;
    3) cairn_wake ;;
  esac
  exit 0
}

if [ -e "$cairn_home/paused" ]; then
  ! cairn_has_node || cairn_answer "$@"
  exit 0
fi

case $CLAUDE_CODE_SESSION_ID in
  '' | *[!0-9A-Za-z-]* | ?????????????????????????????????????????*) cairn_session=none ;;
  *) cairn_session=$CLAUDE_CODE_SESSION_ID ;;
esac

cairn_needs_answer() {
  case $2 in
    SessionStart | PreCompact) return 0 ;;
    UserPromptSubmit) [ ! -e "$cairn_home/state/quiet-prompts" ] ;;
    *) return 1 ;;
  esac
}
if [ -e "$cairn_home/state/outbox" ] || [ -e "$cairn_home/state/outbox-for/$cairn_session" ] ||
  cairn_needs_answer "$@"; then
  ! cairn_has_node || cairn_answer "$@"
fi

# Before a file is read its path has to be known here. A payload is one line, so that takes no other program.
cairn_files=$cairn_home/state/known-files/$cairn_session
cairn_line=
cairn_rest=all
if [ "$2" = PreToolUse ] && [ -r "$cairn_files" ]; then
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
fi
cairn_payload() { printf %s "$cairn_line" && { [ -z "$cairn_rest" ] || cat; }; }

# A name that nobody had before: the same name means the same event.
read -r cairn_id 2>/dev/null </proc/sys/kernel/random/uuid || cairn_id=$(date +%s)-$$-${RANDOM:-0}
cairn_name=$cairn_session.$cairn_id
case $CLAUDE_PROJECT_DIR in
  *'
'*) CLAUDE_PROJECT_DIR= ;;
esac

# The end mark holds the file's own name: a file without it was cut off.
cairn_began=
cairn_write() {
  {
    cairn_began=1
    printf 'cairn1 %s %s %s %s\n' "$1" "$2" "$3" "$CLAUDE_PROJECT_DIR" && cairn_payload && printf '\n#%s\n' "$cairn_name"
  } 2>/dev/null >"$cairn_home/spool/$cairn_name"
}

cairn_make_spool() { [ ! -d "$cairn_home/spool" ] && mkdir -p "$cairn_home/spool" 2>/dev/null; }

set -C
if cairn_write "$@" || { cairn_make_spool && cairn_write "$@"; }; then
  [ ! -s "$cairn_home/state/failures" ] || true 2>/dev/null >|"$cairn_home/state/failures"
  if [ -s "$cairn_away/failures" ] && [ -O "$cairn_away" ] && [ ! -L "$cairn_away" ]; then
    true 2>/dev/null >|"$cairn_away/failures"
  fi
else
  [ -z "$cairn_began" ] || rm -f "$cairn_home/spool/$cairn_name" 2>/dev/null
  ! cairn_has_node || cairn_answer "$@" not-handed-over </dev/null
  exit 0
fi

case $2 in
  UserPromptSubmit | Stop | StopFailure | SessionEnd)
    ! cairn_has_node || cairn_wake
    ;;
  PreToolUse)
    # The event is safe. If something is known of the file, node says it; the list is a test of cairn_path.
    if [ -z "$cairn_rest" ] && cairn_has_node; then
      cairn_path=${cairn_line#*'"file_path":"'}
      cairn_path=${cairn_path%%'"'*}
      cairn_known=
      . "$cairn_files" 2>/dev/null
      [ -z "$cairn_known" ] || printf %s "$cairn_line" | cairn_answer "$@" handed-over
    fi
    ;;
esac
exit 0
