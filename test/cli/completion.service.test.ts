import { spawnSync } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { completionScript } from '../../src/cli/commands/completion.ts';
import { csvOf } from '../../src/cli/commands/usage.ts';
import { bar, clip, table } from '../../src/cli/output.ts';
import { createProgram } from '../../src/cli/program.ts';

const program = createProgram({
  stdin: Readable.from([]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  environment: {},
  onInterrupt: () => () => undefined,
});

describe('the script that completes', () => {
  it.each([
    [['forge', 'pro'], 1, ['projects']],
    [['forge', 'projects', 'cr'], 2, ['create']],
    [['forge', 'search', 'budget', '--mo'], 3, ['--mode']],
    [['forge', 'cache', ''], 2, ['stats', 'clear', '--json', '--help']],
  ])('completes %j in bash', (words, at, expected) => {
    const script = `${completionScript(program, 'bash')}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${at}; _forge; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(expected).toEqual(expect.arrayContaining(stdout.trim().split('\n')));
  });

  it.each(['zsh', 'fish'] as const)('names every command for %s', (shell) => {
    const script = completionScript(program, shell);
    for (const { name } of program.commands.map((command) => ({ name: command.name() })))
      expect(script).toContain(name);
  });
});

describe('tables', () => {
  it('put numbers to the right and cut what is too long', () => {
    expect(
      table(
        [
          ['name', 'size'],
          ['a', 5],
          ['long', 12],
        ],
        80,
      ),
    ).toBe('name  size\na        5\nlong    12');
    expect(table([['name'], ['x'.repeat(50)]], 10)).toBe(`name\n${'x'.repeat(9)}…`);
  });

  it('have bars with eighths', () => {
    expect(bar(1, 4)).toBe('████');
    expect(bar(0.5, 1)).toBe('▌');
    expect(bar(2, 2)).toBe('██');
    expect(clip('a  b\nc', 4)).toBe('a b…');
  });
});

it('writes comma-separated values that no spreadsheet takes for a formula', () => {
  const figures = {
    calls: 1,
    input_tokens: 2,
    cached_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 3,
    cost_usd: null,
  };
  expect(csvOf({ entries: [{ phase: 'answer', model: '=HYPERLINK("x")', ...figures }] }).split('\n')[1]).toBe(
    `answer,"'=HYPERLINK(""x"")",1,2,0,0,3,`,
  );
});
