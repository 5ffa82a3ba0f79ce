# shellcheck shell=sh
# One hook call of Claude Code, by way of the plugin. The plugin holds no program of its own: it hands the call
# to the Cairn that is installed on this machine. Sourced by the shell which the client starts anyway:
#     set -- claude-code <event> plugin; command . cairn.sh
# Ends with 0 unless Cairn itself means otherwise. Runs in dash, bash 3.2 and busybox sh.
cairn_script=${CAIRN_HOME:-$HOME/.cairn}/capture.sh

if [ -r "$cairn_script" ]; then
  # `command`: should the script vanish just now, this shell must not end with 2, which would block the agent.
  command . "$cairn_script"
  exit 0
fi

# Installed, but never used yet: this prepares Cairn's home.
if command -v cairn >/dev/null 2>&1; then
  cairn hook "$@"
  [ $? -ne 2 ] || exit 2
  exit 0
fi

if [ "$2" = SessionStart ]; then
  printf '%s\n' '{"systemMessage":"The Cairn plugin is on, but Cairn is not installed: nothing is remembered. Install it with: npx cairn-memory install claude-code"}'
fi
exit 0
