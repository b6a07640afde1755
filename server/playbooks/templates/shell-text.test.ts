import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellText } from './shell-text.ts';
import type { TemplatePiece } from './template-pieces.ts';

/** A value that bash runs where it evaluates a variable's content. */
const HOSTILE = 'a[$(echo ran >&2)]';

/** A script, the values in it written as `{}`. */
const piecesOf = (script: string): TemplatePiece[] =>
  script.split('{}').flatMap((text, at): TemplatePiece[] => {
    const value: TemplatePiece[] = at === 0 ? [] : [{ kind: 'value', value: HOSTILE }];
    return text === '' ? value : [...value, { kind: 'text', text }];
  });

describe('a script with values in it', () => {
  it.each([
    'echo $(( {} ))',
    'echo $((\n  1 +\n  {}\n))',
    '(( total =\n {} ))',
    'if [[ 1 -eq 1 &&\n  {} -eq 2 ]]; then echo; fi',
    '[[ 1 -eq {} ]]',
    'let x={}',
    'let \\\n  x={}',
    'echo $[ {} ]',
    'declare -i \\\n  x={}',
    'true; eval {}',
    "trap 'echo {}' EXIT",
    'x=abc; echo ${x:0:{}}',
    'x=(a b); echo "${x[{}]}"',
    'x[{}]=1',
    'echo ${!{}}',
    'unset {}',
    'read {} <<< 1',
    'printf -v {} 1',
    'test -v {}',
    '[ -v {} ]',
    'bash -c {}',
    'sh -c "echo {}"',
    "bash -ec '\n echo 1\n echo {}\n'",
    'kubectl exec pod -- sh -c "ls {}"',
    'bash -c "sh -c ls; echo {}"',
    'bash -x -c "echo {}"',
    'bash <<END\necho {}\nEND',
    'ssh host bash -s <<-END\n  echo {}\n  END',
  ])('is refused where bash would evaluate one: %j', (script) => {
    expect(() => shellText(piecesOf(script))).toThrow(/bash would run what is in it/);
  });

  it.each([
    'echo {}',
    'echo $((1 + 2)) {}',
    'echo $((\n1 + 2\n)); echo {}',
    '[[ a == a ]] && echo {}',
    `printf 'x' | grep '[[:alnum:]_]*'\necho {}`,
    `(cd / && (pwd)) > /dev/null\necho {}`,
    'let x=1\necho {}',
    'read x <<< {}; echo "$x"',
    'x=; echo ${x:-{}}',
    `bash -c 'echo "$1"' _ {}`,
    `bash -c 'echo "$1"' _ "{}"`,
    `bash <<'END'\necho "{}"\nEND`,
    `bash <<END\ntrue\nEND\necho {}`,
    "printf '%s\\n' {}",
    "echo '[1]' > /dev/null; echo {}",
    `cat > /dev/null <<'END'\nx = ((1 + 2) * 3)\nEND\necho {}`,
  ])('has them as they are anywhere else: %j', (script) => {
    const { script: written, env } = shellText(piecesOf(script));
    const output = execFileSync('bash', ['-c', written], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(output).toContain(`${HOSTILE}\n`);
  });
});
