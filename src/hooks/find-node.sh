# shellcheck shell=sh
# Finds another node if the recorded one no longer exists, as after an upgrade with nvm. Sourced by capture.sh and
# bin/cairn, which set cairn_home, cairn_node and cairn_command. Sets cairn_node and returns 0 if it found one.
# The found node is recorded in state/found-node, and the outbox reports it once to the person.
cairn_gone=$cairn_node

cairn_recall() {
  [ -r "$cairn_home/state/found-node" ] || return 1
  read -r cairn_found <"$cairn_home/state/found-node"
  [ -x "$cairn_found" ] && cairn_node=$cairn_found
}

# Cairn needs node 20.19 or newer.
cairn_try() {
  [ -x "$1" ] && [ ! -d "$1" ] || return 1
  case $("$1" --version 2>/dev/null </dev/null) in
    v20.19.* | v20.[2-9][0-9].* | v2[1-9].* | v[3-9][0-9].*) cairn_node=$1 ;;
    *) return 1 ;;
  esac
}

# A shim may run a different node in each project, so use the node behind it.
cairn_try_shim() {
  [ -x "$1" ] && cairn_found=$("$1" -p process.execPath 2>/dev/null </dev/null) && cairn_try "$cairn_found"
}

# Only absolute folders outside the project: a repository must not provide the node that runs Cairn.
cairn_search_path() {
  cairn_rest=$PATH:
  while [ -n "$cairn_rest" ]; do
    cairn_folder=${cairn_rest%%:*}
    cairn_rest=${cairn_rest#*:}
    case $cairn_folder in
      "$PWD" | "$PWD"/* | "${CLAUDE_PROJECT_DIR:-$PWD}"/* | */node_modules/.bin) ;;
      */shims | */.volta/bin | */fnm_multishells/*) ! cairn_try_shim "$cairn_folder/node" || return 0 ;;
      /*) ! cairn_try "$cairn_folder/node" || return 0 ;;
    esac
  done
  return 1
}

cairn_search_known_folders() {
  cairn_data=${XDG_DATA_HOME:-$HOME/.local/share}
  for cairn_candidate in \
    "${NVM_DIR:-$HOME/.nvm}"/versions/node/*/bin/node \
    "${FNM_DIR:-$cairn_data/fnm}"/node-versions/*/installation/bin/node \
    "$HOME"/.fnm/node-versions/*/installation/bin/node \
    "$HOME/Library/Application Support/fnm"/node-versions/*/installation/bin/node \
    "${VOLTA_HOME:-$HOME/.volta}"/tools/image/node/*/bin/node \
    "${ASDF_DATA_DIR:-$HOME/.asdf}"/installs/nodejs/*/bin/node \
    "${MISE_DATA_DIR:-$cairn_data/mise}"/installs/node/*/bin/node \
    "$HOME"/.nodenv/versions/*/bin/node \
    "${N_PREFIX:-$HOME/n}"/bin/node "$HOME"/.local/bin/node; do
    ! cairn_try "$cairn_candidate" || return 0
  done
  for cairn_candidate in "${VOLTA_HOME:-$HOME/.volta}"/bin/node "${ASDF_DATA_DIR:-$HOME/.asdf}"/shims/node; do
    ! cairn_try_shim "$cairn_candidate" || return 0
  done
  for cairn_candidate in /usr/local/bin/node /opt/homebrew/bin/node /home/linuxbrew/.linuxbrew/bin/node \
    /usr/bin/node /snap/bin/node /opt/homebrew/opt/node*/bin/node /usr/local/opt/node*/bin/node; do
    ! cairn_try "$cairn_candidate" || return 0
  done
  return 1
}

cairn_remember() {
  printf '%s\n' "$cairn_node" 2>/dev/null >|"$cairn_home/state/found-node"
  [ -e "$cairn_home/state/outbox" ] ||
    printf 'Cairn: %s is gone, so hooks use %s. To keep that: %s doctor' \
      "$cairn_gone" "$cairn_node" "$cairn_command" 2>/dev/null >|"$cairn_home/state/outbox"
  return 0
}

cairn_recall || { { cairn_search_path || cairn_search_known_folders; } && cairn_remember; }
