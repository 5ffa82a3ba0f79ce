# shellcheck shell=sh
# Calls the Cairn that is installed on this machine; the plugin holds no program of its own.
unset NODE_OPTIONS
cairn_launcher=${CAIRN_HOME:-$HOME/.cairn}/bin/cairn
if [ -x "$cairn_launcher" ]; then
  exec "$cairn_launcher" "$@"
fi

# Installed, but never used yet.
if command -v cairn >/dev/null 2>&1; then
  exec cairn "$@"
fi

echo 'Cairn is not installed. Install it with: npx cairn-memory install claude-code' >&2
exit 1
