import { Argument, type Command } from 'commander';
import { outputOf, type Terminal } from '../context.ts';

/** A command as it is completed: its words, what can follow them, and what it is for. */
interface Completable {
  words: string[];
  description: string;
  /** Names of its own commands, and its long options. */
  names: { name: string; description: string }[];
  /** It takes files. */
  takesFiles: boolean;
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `forge completion`: a script that completes commands and options in a shell. */
export function completionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(forge completion bash)\n  forge completion zsh > ~/.zfunc/_forge\n  forge completion fish > ~/.config/fish/completions/forge.fish',
    )
    .action((shell: Shell, _options: object, command: Command) => {
      outputOf({ command, terminal }).line(completionScript(program, shell));
    });
}

export function completionScript(program: Command, shell: Shell): string {
  const all = completables(program, []);
  if (shell === 'bash') return bashScript(all);
  return shell === 'zsh' ? zshScript(all) : fishScript(all);
}

function completables(command: Command, words: string[]): Completable[] {
  const names = [
    ...command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    ...command.options
      .filter(({ hidden, long }) => !hidden && long)
      .map(({ long, description }) => ({ name: long ?? '', description })),
    { name: '--help', description: 'what it does, and how' },
  ];
  const takesFiles = command.registeredArguments.some((argument) => /path|archive/.test(argument.name()));
  return [
    { words, description: command.description(), names, takesFiles },
    ...command.commands.flatMap((each) => completables(each, [...words, each.name()])),
  ];
}

const bashScript = (all: readonly Completable[]): string => `# forge completion for bash
_forge() {
  local words=() word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || words+=("$word"); done
  local current=\${COMP_WORDS[COMP_CWORD]} names= files=
  case "\${words[*]}" in
${all
  .toReversed()
  .map(
    ({ words, names, takesFiles }) =>
      `    "${words.join(' ')}"${words.length > 0 ? `|"${words.join(' ')} "*` : ''}) names="${names.map(({ name }) => name).join(' ')}"${takesFiles ? ' files=1' : ''} ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$names" -- "$current"))
  [[ -n $files && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _forge forge`;

const quoted = (text: string): string => text.replaceAll("'", '’').replace(/[[\]:\\]/g, ' ');

const zshScript = (all: readonly Completable[]): string => `#compdef forge
_forge() {
  local -a names said
  said=(\${\${words[2,CURRENT-1]}:#-*})
  case "$said" in
${all
  .toReversed()
  .map(
    ({ words, names, takesFiles }) =>
      `    '${words.join(' ')}'${words.length > 0 ? `|'${words.join(' ')} '*` : ''}) names=(${names.map(({ name, description }) => `'${name}:${quoted(description)}'`).join(' ')})${takesFiles ? '; _files' : ''} ;;`,
  )
  .join('\n')}
  esac
  _describe 'forge' names
}
compdef _forge forge`;

const fishScript = (all: readonly Completable[]): string => `# forge completion for fish
complete -c forge -f
${all
  .flatMap(({ words, names, takesFiles }) => {
    const condition =
      words.length === 0
        ? '__fish_use_subcommand'
        : words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const rows = names.map(({ name, description }) =>
      name.startsWith('--')
        ? `complete -c forge -n '${condition}' -l ${name.slice(2)} -d '${quoted(description)}'`
        : `complete -c forge -n '${condition}' -a ${name} -d '${quoted(description)}'`,
    );
    return takesFiles ? [...rows, `complete -c forge -n '${condition}' -F`] : rows;
  })
  .join('\n')}`;
