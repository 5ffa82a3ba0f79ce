#!/bin/sh
# Runs the Cairn that this home's hooks use: agents start it, and messages name it where no `cairn` is on the PATH.
# A status line sources it, which saves a process. Written by Cairn @VERSION@.
cairn_home=${CAIRN_HOME:-@HOME@}
cairn_command=@COMMAND@
cairn_node=@NODE@
cairn_hook=@HOOK@
CAIRN_HOME=$cairn_home
export CAIRN_HOME

# A hook of an agent that can only run a single program. The parent process may be a shell instead of the agent.
if [ "$1" = hook ] && [ "$4" = settings ] && [ -r @HOME@/capture.sh ]; then
  shift
  cairn_agent_pid=$CAIRN_AGENT_PID
  command . @HOME@/capture.sh
  exit 0
fi

case $1 in
  statusline | suggest-files) cairn_program=$cairn_hook ;;
  *)
    cairn_program=${cairn_hook%hook.cjs}cli.mjs
    # NODE_OPTIONS is meant for the agent's own node.
    unset NODE_OPTIONS
    ;;
esac
if [ ! -x "$cairn_node" ] && [ -r "${cairn_hook%hook.cjs}find-node.sh" ]; then
  command . "${cairn_hook%hook.cjs}find-node.sh"
fi
if [ -x "$cairn_node" ] && [ -r "$cairn_program" ]; then
  exec "$cairn_node" "$cairn_program" "$@"
fi

# A status line that sources this file continues with the command from before Cairn; other programs report the problem.
if [ "$cairn_program" != "$cairn_hook" ]; then
  if [ -r "$cairn_program" ]; then
    echo 'Cairn needs Node.js 20.19 or newer and found none. Install it: https://nodejs.org' >&2
  else
    echo "$cairn_program is gone. Install Cairn again: npx cairn-memory install" >&2
  fi
  exit 1
fi
