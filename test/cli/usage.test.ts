/** Words that name no command or option are errors, with the nearest name that there is: for every command there is. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type CommandUsage, describeCommand } from '../../src/cli/usage.ts';
import { remand } from './command.ts';

interface NamedCommand {
  readonly words: readonly string[];
  readonly options: NonNullable<CommandUsage['args']>;
}

function listCommands(
  { subCommands = {}, args }: CommandUsage,
  words: readonly string[] = [],
): NamedCommand[] {
  return args
    ? [{ words, options: args }]
    : Object.entries(subCommands).flatMap(([name, one]) => listCommands(one, [...words, name]));
}

const COMMANDS = listCommands(await describeCommand());

test('there are commands, and those of a group count', () => {
  expect(COMMANDS.map(({ words }) => words.join(' '))).toEqual(
    expect.arrayContaining(['serve', 'eval judge', 'keys add', 'audit cues']),
  );
});

describe.each(COMMANDS.map((one) => [one.words.join(' '), one] as const))(
  '%s',
  (_name, { words, options }) => {
    const names = Object.keys(options).filter((name) => options[name]?.type !== 'positional');

    test('a letter too many in any option is an error that names it', async () => {
      for (const name of names) {
        const { code, out, err } = await remand([...words, `--${name}x=1`]);
        expect([code, out, err]).toEqual([
          2,
          '',
          `remand: --${name}x: no such option; did you mean --${name}?\n`,
        ]);
      }
    });

    test('an option given twice is an error, and so is a word that no option takes', async () => {
      const [name = ''] = names;
      const twice = await remand([...words, `--${name}=1`, `--${name}=2`]);
      expect([twice.code, twice.err]).toEqual([2, `remand: --${name}: is given twice\n`]);
      if (names.length < Object.keys(options).length) return;
      const stray = await remand([...words, 'stray']);
      const needed = names.find((one) => options[one]?.required);
      const told = needed ? `did you mean --${needed} stray?` : 'a value with spaces needs quotation marks';
      expect([stray.code, stray.err]).toEqual([2, `remand: stray: belongs to no option; ${told}\n`]);
    });

    test('options that are needed and left out are named together', async () => {
      const needed = names.filter((one) => options[one]?.required).map((one) => `--${one}`);
      if (needed.length === 0) return;
      const { code, err } = await remand([...words]);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          `^remand: ${needed.join(', ')}: (?:is|are) missing; remand ${words.join(' ')} --help`,
        ),
      ]);
    });

    test('an option that does nothing without another one is an error there, and its help says so', async () => {
      for (const name of names) {
        const { goesWith, description, type } = options[name] ?? {};
        // A description that says so without a check would be a promise.
        expect([name, /^with (--[a-z-]+|langfuse)\b/.test(description ?? '')]).toEqual([
          name,
          goesWith !== undefined || /^with langfuse/.test(description ?? ''),
        ]);
        if (goesWith === undefined) continue;
        expect(description).toMatch(`with --${goesWith}: `);
        const needed = Object.keys(options).filter((one) => options[one]?.required && one !== name);
        const given = [
          ...needed.map((one) => `--${one}=x`),
          type === 'boolean' ? `--${name}` : `--${name}=1`,
        ];
        const { code, err } = await remand([...words, ...given]);
        expect([code, err]).toEqual([2, `remand: --${name}: is for --${goesWith}\n`]);
      }
    });

    test('a mistyped variable is an error that names the setting', async () => {
      // Missing options are found later.
      const { code, out, err } = await remand([...words], { REMAND_MODDE: 'shadow' });
      expect([code, out, err]).toEqual([
        2,
        '',
        'remand: REMAND_MODDE: no such setting; did you mean REMAND_MODE?\n',
      ]);
    });

    test('help names every option, and says of each in small letters what it is', async () => {
      const { code, out } = await remand([...words, '--help']);
      expect([code, names.filter((name) => !out.includes(`--${name}`))]).toEqual([0, []]);
      expect(names.filter((name) => /^[A-Z][a-z]|’/.test(options[name]?.description ?? ''))).toEqual([]);
    });
  },
);

test.each([
  [
    ['eval', 'judge', '--in', 'x', '--judge', 'y', '--budjet', '5'],
    '--budjet: no such option; did you mean --budget?',
  ],
  [['calibrate', '--treshold', '0.5'], '--treshold: no such option; did you mean --threshold?'],
  [['rank', '--recrods=x'], '--recrods: no such option; did you mean --records?'],
  [['help', 'servee'], 'servee: no such command; did you mean serve?'],
  [['servee', '--help'], 'servee: no such command; did you mean serve?'],
  [['servee'], 'servee: no such command; did you mean serve?'],
  [['eval', 'juge'], 'juge: no such command; did you mean judge?'],
  // Names that are far are listed, and none of them is suggested.
  [['try', '--model', 'm'], '--model: no such option; there are --question, --keep, --samples, --json'],
  [['eval', 'nonsense'], 'nonsense: no such command; there are judge, detector'],
  [['--nonsense'], '--nonsense: no such option; there are --help, --version'],
  [['dataset'], 'dataset: needs one of the commands build, judge, label'],
  [['eval', '--json'], '--json: no such option; commands are judge, detector'],
])('%j', async (words, message) => {
  const { code, out, err } = await remand(words);
  expect([code, out, err]).toEqual([2, '', `remand: ${message}\n`]);
});

test('a variable that is far from every setting gets no suggestion', async () => {
  const { code, err } = await remand(['try'], { REMAND_XYLOPHONE: '1' });
  expect([code, err]).toEqual([2, 'remand: REMAND_XYLOPHONE: no such setting\n']);
});

test('the version is that of the package; help is usage', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect((await remand(['--version'])).out).toBe(`${version}\n`);
  expect((await remand(['help', 'rank'])).out).toContain('Usage: remand rank --records … [options]\n');
  expect((await remand(['read', '--help'])).out).toContain('Usage: remand read [FILE …] [options]\n');
  const { out } = await remand(['help']);
  expect(out).toContain('\n  serve ');
  expect(out.split('\n').filter((line) => line.length > 100 || line !== line.trimEnd())).toEqual([]);
  // No colours where nobody sees them.
  expect(out).not.toContain('\u001b');
});
