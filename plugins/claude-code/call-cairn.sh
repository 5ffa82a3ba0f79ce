# shellcheck shell=sh
# Calls the Cairn that is installed on this machine; the plugin holds no program of its own.
unset NODE_OPTIONS
cairn_script=${CAIRN_HOME:-$HOME/.cairn}/capture.sh

if [ -r "$cairn_script" ]; then
  # Two lines of it name the programs, quoted for the shell.
  eval "$(sed -n -e '/^cairn_node=/p' -e '/^cairn_hook=/p' "$cairn_script")"
  cairn_cli=${cairn_hook%hook.cjs}cli.mjs
  if [ -x "$cairn_node" ] && [ -r "$cairn_cli" ]; then
    exec "$cairn_node" "$cairn_cli" "$@"
  fi
fi

# Installed, but never used yet.
if command -v cairn >/dev/null 2>&1; then
  exec cairn "$@"
fi

echo 'Cairn is not installed. Install it with: npm install -g cairn-memory && cairn install claude-code' >&2
exit 1
