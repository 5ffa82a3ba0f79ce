import type { Command } from './support/command.ts';
import { createUnknownError, requireArgument } from './support/usage.ts';

interface Completion {
  name: string;
  summary: string;
  subcommands: string[];
  options: string[];
}

const KNOWN_SHELLS = 'Known shells: bash, zsh, fish.';

export function createCompletion(loadCommands: () => Promise<Command[]>): Command {
  return {
    name: 'completion',
    summary: 'Print shell completion for bash, zsh or fish',
    usage: 'completion bash | zsh | fish',
    help: [
      'bash   eval "$(cairn completion bash)"                in ~/.bashrc',
      'zsh    eval "$(cairn completion zsh)"                 in ~/.zshrc, after compinit',
      'fish   cairn completion fish | source                 in ~/.config/fish/config.fish',
    ].join('\n'),
    options: {},
    words: 1,
    async run(call) {
      const shell = requireArgument(call.positionals[0], 'shell', KNOWN_SHELLS);
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script) throw createUnknownError('shell', shell, Object.keys(SCRIPTS), KNOWN_SHELLS);
      call.out(script((await loadCommands()).map(describeCompletion)));
      return 0;
    },
  };
}

function describeCompletion({ name, summary, usage, options }: Command): Completion {
  return {
    name,
    summary,
    subcommands: [...new Set(usage.split('\n').flatMap(readSubcommands))],
    options: [...Object.keys(options), 'help'].map((option) => `--${option}`),
  };
}

/** The plain words after the command's name in a usage line: `done` and `drop` for `tasks done | drop <number>`. */
function readSubcommands(line: string): string[] {
  const [, words = ''] = /^\S+ \[?([a-z][a-z-]*(?: \| [a-z][a-z-]*)*)(?=[\]\s]|$)/.exec(line) ?? [];
  return words.split(' | ').filter(Boolean);
}

const SCRIPTS: Record<string, (commands: Completion[]) => string> = { bash, zsh, fish };

function bash(commands: Completion[]): string {
  return `_cairn() {
  local word=\${COMP_WORDS[COMP_CWORD]} commands='${namesOf(commands)}' subcommands= options=
  case \${COMP_WORDS[1]} in
${commands.map(({ name, subcommands, options }) => `    ${name}) subcommands='${subcommands.join(' ')}' options='${options.join(' ')}' ;;`).join('\n')}
    help) subcommands=$commands ;;
  esac
  case $COMP_CWORD in
    1) COMPREPLY=($(compgen -W "$commands help" -- "$word")) ;;
    2) COMPREPLY=($(compgen -W "$subcommands $options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
  esac
}
complete -o default -F _cairn cairn`;
}

function zsh(commands: Completion[]): string {
  return `#compdef cairn
_cairn() {
  local -a commands subcommands options
  commands=(${commands.map(({ name, summary }) => quote(`${name}:${summary}`)).join(' ')} 'help:Show help')
  case $words[2] in
${commands.map(({ name, subcommands, options }) => `    ${name}) subcommands=(${subcommands.join(' ')}) options=(${options.join(' ')}) ;;`).join('\n')}
    help) subcommands=(${namesOf(commands)}) ;;
  esac
  case $CURRENT in
    2) _describe command commands ;;
    3) compadd -a subcommands options || _files ;;
    *) compadd -a options || _files ;;
  esac
}
compdef _cairn cairn`;
}

function namesOf(commands: Completion[]): string {
  return commands.map(({ name }) => name).join(' ');
}

function fish(commands: Completion[]): string {
  const first = "complete -c cairn -n '__fish_is_nth_token 1'";
  const lines = commands.flatMap(({ name, summary, subcommands, options }) => {
    const isNamed = `__fish_seen_subcommand_from ${name}`;
    const second = `complete -c cairn -n '__fish_is_nth_token 2; and ${isNamed}'`;
    return [
      `${first} -a ${name} -d ${quote(summary)}`,
      ...subcommands.map((word) => `${second} -a ${word}`),
      ...options.map((option) => `complete -c cairn -n '${isNamed}' -l ${option.slice(2)}`),
    ];
  });
  return ['complete -c cairn -f', ...lines, `${first} -a help -d 'Show help'`].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
