import { type Command, CommandFailed, exitCodes } from '../terminal/command.ts';
import { commonFlags, type FlagName, takesValue } from '../terminal/flags.ts';

type Commands = Readonly<Record<string, Command>>;

/** What each shell has to know: whom to ask for the words that may come next. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(svc completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _svc svc`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _svc svc
# As a file of fpath it is read at the first tab, and has to answer that one too.
if [ "$funcstack[1]" = "_svc" ]; then _svc; fi`,
  fish: `function __svc_words
  set -l words (commandline -opc)
  svc completion words -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c svc -f -a '(__svc_words)'`,
  // kubectl runs a program of the name kubectl_complete-svc, and reads words and then a directive: 4 is "no file names".
  kubectl: `#!/bin/sh
kubectl svc completion words -- "$@" && echo :4`,
};

const shells = Object.keys(scripts);

/** Asked at every tab, so it reads nothing but the table of commands. */
export function completionOf(commands: () => Commands): Command {
  return {
    usage: 'completion bash | zsh | fish | kubectl',
    summary: 'Print the script that lets a shell complete the words of svc',
    words: { ...Object.fromEntries(shells.map((shell) => [shell, []])), words: [] },
    operands: { words: Number.POSITIVE_INFINITY },
    async run({ args: [what = '', ...typed], terminal }) {
      if (what === 'words') {
        for (const word of candidates(commands(), typed)) terminal.out(`${word}\n`);
        return exitCodes.done;
      }
      const script = Object.hasOwn(scripts, what) ? scripts[what] : undefined;
      if (script === undefined) {
        const given = what === '' ? 'Name a shell' : `There is no completion for ${JSON.stringify(what)}`;
        throw new CommandFailed(exitCodes.error, `${given}: svc completion ${shells.join(', ')}`);
      }
      terminal.out(`${script}\n`);
      return exitCodes.done;
    },
  };
}

/** What may stand where the last of the typed words has been begun. */
export function candidates(commands: Commands, typed: readonly string[]): readonly string[] {
  const begun = typed.at(-1) ?? '';
  const [name = '', ...before] = typed.slice(0, -1);
  const all = typed.length <= 1 ? Object.keys(commands) : nextWords(commands, name, before, begun);
  return all.filter((word) => word.startsWith(begun));
}

function nextWords(commands: Commands, name: string, before: readonly string[], begun: string): readonly string[] {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return [];
  const { flags = [], words = {} } = command;
  const last = before.at(-1) ?? '';
  if (last === '-o' || last === '--output') return ['text', 'json'];
  if (last.startsWith('--') && takesValue(last.slice(2))) return [];
  const word = before.find((one) => Object.hasOwn(words, one));
  if (!begun.startsWith('-')) return word === undefined ? shown(Object.keys(words)) : [];
  const own: readonly FlagName[] = word === undefined ? flags : (words[word] ?? []);
  return [...own, ...commonFlags].map((flag) => `--${flag}`).filter((flag) => !before.includes(flag));
}

/** The word that only the scripts use is not offered to people. */
function shown(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== 'words');
}
