// `voxgate completion SHELL`: a script that completes commands and flags in bash, zsh and fish, made from the commands that
// there are.
import { Argument, type Command } from 'commander';
import { runCommand, type CliIo } from './io.js';

interface Words {
  /** The command without the program: `person list`. */
  path: string;
  /** And the words that an argument may be. */
  subcommands: readonly (readonly [name: string, description: string])[];
  flags: readonly (readonly [name: string, description: string])[];
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof scripts;

export function registerCompletion(program: Command, io: CliIo): void {
  program
    .command('completion')
    .description(
      'print a script that completes commands and flags, for example: source <(voxgate completion bash)',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(scripts)))
    .option('--json', 'print the script in one JSON object')
    .action((shell: Shell, flags: { json?: true }) =>
      runCommand(io, flags, async () => {
        const script = scripts[shell](wordsOf(program, '')).join('\n');
        io.out(flags.json ? JSON.stringify({ shell, script }) : script);
      }),
    );
}

function wordsOf(command: Command, path: string): Words[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const flags = help
    .visibleOptions(command)
    .flatMap((option) =>
      [option.long, option.short].flatMap((flag) => (flag ? [[flag, option.description] as const] : [])),
    );
  return [
    { path, subcommands: [...subcommands.map(described), ...choicesOf(command)], flags },
    ...subcommands.flatMap((each) => wordsOf(each, `${path} ${each.name()}`.trim())),
  ];
}

const described = (command: Command) => [command.name(), command.description()] as const;

/** What the arguments of a command can be, where that is a short list. */
const choicesOf = (command: Command) =>
  command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((choice) => [choice, description] as const),
  );

function bashScript(all: readonly Words[]): string[] {
  return [
    '_voxgate() {',
    '  local word place= words',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    ...followWord(all),
    '  done',
    '  case "$place" in',
    ...all.map(
      ({ path, subcommands, flags }) =>
        `    ${quoted(place(path))}) words=${quoted(names(subcommands, flags))} ;;`,
    ),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _voxgate voxgate',
  ];
}

function zshScript(all: readonly Words[]): string[] {
  return [
    '#compdef voxgate',
    '_voxgate() {',
    '  local word place=""',
    '  local -a words_here',
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    ...followWord(all),
    '  done',
    '  case "$place" in',
    ...all.map(({ path, subcommands, flags }) => {
      const described = [...subcommands, ...flags].map(([name, about]) =>
        quoted(`${name.replaceAll(':', '\\:')}:${about}`),
      );
      return `    ${quoted(place(path))}) words_here=(${described.join(' ')}) ;;`;
    }),
    '  esac',
    "  _describe 'voxgate' words_here || _files",
    '}',
    'compdef _voxgate voxgate',
  ];
}

function fishScript(all: readonly Words[]): string[] {
  return all.flatMap(({ path, subcommands, flags }) => {
    const inside = path
      .split(' ')
      .filter(Boolean)
      .map((word) => `__fish_seen_subcommand_from ${word}`);
    const isNotFurther =
      subcommands.length === 0
        ? []
        : [`not __fish_seen_subcommand_from ${subcommands.map(([name]) => name).join(' ')}`];
    const here = [...inside, ...isNotFurther].join('; and ');
    const condition = here === '' ? '' : ` -n ${quoted(here)}`;
    return [
      ...subcommands.map(
        ([name, about]) => `complete -c voxgate${condition} -f -a ${name} -d ${quoted(about)}`,
      ),
      ...flags.map(([name, about]) => {
        const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
        return `complete -c voxgate${condition} ${kind} -d ${quoted(about)}`;
      }),
    ];
  });
}

/** How the scripts note a command: each of its words behind a space. */
const place = (path: string): string => (path === '' ? '' : ` ${path}`);

/** A word that is a subcommand of where we are leads there; any other is an argument. */
function followWord(all: readonly Words[]): string[] {
  const places = all.filter(({ path }) => path !== '').map(({ path }) => quoted(place(path)));
  return ['    case "$place $word" in', `      ${places.join('|')}) place="$place $word" ;;`, '    esac'];
}

function names(subcommands: Words['subcommands'], flags: Words['flags']): string {
  return [...subcommands, ...flags].map(([name]) => name).join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
