import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
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

/** What bash writes, by lines. */
function outputOf(script: string): string[] {
  const { script: written, env } = shellText(piecesOf(script));
  const output = execFileSync('bash', ['-c', written], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return output.split('\n');
}

/** Each is whole, and writes its value on a line of its own. */
const PARTS = [
  'echo {}',
  'echo "{}"',
  "printf '%s\\n' {}",
  `cat <<END\n{}\nEND`,
  `cat <<-'END' > /dev/null\n\t"it's $((\n\tEND`,
  `cat <<END > /dev/null\n(it's "\nEND`,
  "# it's a (comment",
  'echo "$(echo {})"',
  'echo "`echo {}`"',
  `echo 'it is ((' > /dev/null`,
  `echo $'it\\'s' > /dev/null`,
  'case a in a) echo {} ;; esac',
  'x=$((1 << 2)); y=${x#4}',
  'if [[ a == a && "(" != b ]]; then echo {}; fi',
  'f() { echo {}; }; f',
  `bash <<'END'\necho {}\nEND`,
  'cat <<< {}',
  'x={}; echo "$x"',
];

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
    'cat <<END\n$(( {} ))\nEND',
    'x[1<<END]=1\nlet y={}',
    'echo "$(( (1 << END) ))"\nlet y={}',
    'cat <<END\ntext\nEND\nlet y={}',
  ])('is refused where bash would evaluate one: %j', (script) => {
    expect(() => shellText(piecesOf(script))).toThrow(/bash would run what is in it/);
  });

  it.each([
    'bash -c {}',
    'sh -c "echo {}"',
    "bash -ec '\n echo 1\n echo {}\n'",
    'kubectl exec pod -- sh -c "ls {}"',
    'bash -c "sh -c ls; echo {}"',
    'bash -x -c "echo {}"',
    'bash <<END\necho {}\nEND',
    'ssh host bash -s <<-END\n  echo {}\n  END',
    'cat <<END | bash\necho {}\nEND',
    'cat <<END |\necho {}\nEND\nbash',
    'python3 -c "print({})"',
    "perl -e 'print {}'",
    'python3 - <<END\nprint({})\nEND',
    'ssh host uptime {}',
    'ssh -p 22 -o BatchMode=yes root@host "systemctl restart {}"',
    'ssh host "cd /;\n  restart {}"',
    'ssh {} systemctl restart {}',
  ])('is refused in a program for another shell: %j', (script) => {
    expect(() => shellText(piecesOf(script))).toThrow(/which would run what is in it/);
  });

  it.each(["cat <<'END'\n{}\nEND", 'cat <<\\END\n{}\nEND', "ssh host bash <<'END'\necho {}\nEND"])(
    'is refused in lines in which nothing is filled in: %j',
    (script) => {
      expect(() => shellText(piecesOf(script))).toThrow(/write the word without them/);
    },
  );

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
    'cat <<END\n{}\nEND',
    'cat <<-END | sed s/x/y/ | tr -d y\n\tit\'s "that"\n\t{}\n\tEND',
    'cat << "" > /dev/null; echo {}',
    'cat <<A <<"B"; echo {}\nit\'s\nA\n"\nB\necho {}',
    `cat <<END\nlet us say "it's"\n$(echo {})\nEND`,
    `cat <<END\nsay "it's" $(echo {})\nEND`,
    "# don't (do\necho {}",
    'echo $# a#b {}',
    "echo $'it\\'s\\n' {}",
    "echo $'it\\'s\\n{}'",
    'echo "`echo {}`"',
    'echo "$(cat <<END\n{}\nEND\n)" {}',
    'echo please let me read {}',
    'x=$((1<<2)); echo {}',
    'sh -c "echo $(printf %q {})"',
    `bash <<END\necho $(printf '%q' {})\nEND`,
    'ssh -V 2> /dev/null; echo {}',
    'echo ssh host; echo {}',
    'echo ssh host "a;b"\necho {}',
    "echo '[1]' > /dev/null; echo {}",
    `cat > /dev/null <<'END'\nx = ((1 + 2) * 3)\nEND\necho {}`,
  ])('has them as they are anywhere else: %j', (script) => {
    expect(outputOf(script).join('\n')).toContain(`${HOSTILE}\n`);
  });

  it('has them as they are after anything that a script may have', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 8 }), (parts) => {
        const values = parts.filter((part) => part.includes('{}')).length;
        expect(outputOf(parts.join('\n')).filter((line) => line === HOSTILE)).toHaveLength(values);
      }),
      { numRuns: 40 },
    );
  });
});
