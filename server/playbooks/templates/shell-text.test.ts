import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { shellText } from './shell-text.ts';
import type { TemplatePiece } from './template-pieces.ts';

/** A value that bash runs where it evaluates a variable's content. */
const HOSTILE = 'a[$(echo ran >&2)]';

/** A script, the values in it written as `{}`. */
const piecesOf = (script: string, put = HOSTILE): TemplatePiece[] =>
  script.split('{}').flatMap((text, at): TemplatePiece[] => {
    const value: TemplatePiece[] = at === 0 ? [] : [{ kind: 'value', value: put }];
    return text === '' ? value : [...value, { kind: 'text', text }];
  });

/** What bash writes, by lines. */
function outputOf(script: string, put?: string): string[] {
  const { script: written, env } = shellText(piecesOf(script, put));
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
    'eval "cd /; ls {}"',
    'eval "\nls {}\n"',
    'eval "$(cat <<END\nls {}\nEND\n)"',
    'eval "$(echo "ls {}")"',
    "trap 'rm -f x; rm -f {}' EXIT",
    '[ ! -v {} ]',
    '[[ "x == {}" -gt 1 ]]',
    '[ -z "$x" -o -v {} ]',
    '[[ $x == [[:space:]]* || $x -eq {} ]]',
    '[[ $x =~ ^[[:digit:]]+$ && $x -gt {} ]]',
    '[[ "$a" != "]]" && 1 -lt {} ]]',
    'declare -A m; m["{}"]=1',
    'm=([{}]=x)',
    'x[${y[0]}+{}]=1',
    'echo "${@:{}}"',
    'echo "${x:${off}:{}}"',
    'echo "${x:\n{}}"',
    'echo $[ x[0] + {} ]',
    'declare -i n=0\nn={}',
    'x="$(case a in a) x[{}]=1;; esac)"',
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
    'bash -eu -c "ls {}"',
    'timeout 10 bash -euo pipefail -c "\nls {}\n"',
    'bash -cx "ls {}"',
    'bash -c -e "ls {}"',
    'bash -c -- "ls {}"',
    'bash "-c" "ls {}"',
    'bash -x 2>&1 -c "ls {}"',
    'bash -c "echo $(date "+%F %T") {}"',
    'bash -c "ls ${x:-"a b"} {}"',
    `bash -c $'echo \\'a b\\'; ls {}'`,
    "bash -c 'echo $(printf %q {})'",
    'bash -c "echo \\"$(printf %q {})\\""',
    'sh -c "echo $(printf %q {})"',
    'bash -c "eval $(printf %q {})"',
    'bash -c "sh -c $(printf %q {})"',
    'ssh host "bash -c $(printf %q {})"',
    'bash -c "[[ 1 -eq $(printf %q {}) ]]"',
    'bash <<END\necho $(printf %q {})\nEND',
    'perl -Mstrict -e "print {}"',
    'node -r fs -e "console.log({})"',
    'python3 -Werror -c "print({})"',
    'bash <<< "ls {}"',
    'echo "ls {}" | bash',
    'echo "ls {}" | ssh host',
    'echo "print({})" | python3 -',
    'bash <(echo "ls {}")',
    'source <(echo "x={}")',
    'bash <<!\nls {}\n!',
    `printf '\\033[1m'; bash <<END\nls {}\nEND`,
    'ssh host <<END\nsystemctl restart {}\nEND',
    'ssh -qo X=y host "ls {}"',
    'ssh -vp22 host ls {}',
    'x=`ssh host "ls {}"`',
    `awk '$1 == "{}"' f`,
    'awk "/{}/ {print}" f',
    'sed -i "s/^host=.*/host={}/" f',
    'cat <<END |\necho {}\nEND\nbash',
    'python3 -c "print({})"',
    'sed "s-a-{}-" f',
    "awk '{ print {} }' f",
    "perl -e 'print {}'",
    'python3 - <<END\nprint({})\nEND',
    'ssh host uptime {}',
    'ssh -p 22 -o BatchMode=yes root@host "systemctl restart {}"',
    'ssh host "cd /;\n  restart {}"',
    'ssh {} systemctl restart {}',
  ])('is refused in a program for another shell: %j', (script) => {
    expect(() => shellText(piecesOf(script))).toThrow(/which would run what is in it/);
  });

  it.each([
    'n={}\nif (( n > 3 )); then echo; fi',
    'n="{}"; if [[ $n -gt 3 ]]; then echo; fi',
    'n={}; echo $((n * 2))',
    'for n in 1 {}; do echo $((n+1)); done',
    'read -r n <<< {}; (( n > 1 ))',
    'f() { local n={}; echo "${a[$n]}"; }; f',
    's=abc; n={}; echo "${s:0:$n}"',
    'x={}; echo ${!x}',
    'n={}; echo $(( ${n} + $(( $n )) ))',
    `bash <<'END'\nn={}\n(( n > 3 ))\nEND`,
    'n=$(echo {} | cut -c1-9); (( n > 1 ))',
    'n="$(echo "{}")"; (( n > 1 ))',
    'cmd="ls {}"\neval "$cmd"',
    'cmd="ls {}"; bash -c "$cmd"',
  ])('is refused in a variable that bash evaluates later: %j', (script) => {
    expect(() => shellText(piecesOf(script))).toThrow(/that is not a number/);
  });

  it.each([
    ['echo $(( {} + 1 ))', '41', '42'],
    ['n=$(echo {} | cut -d. -f1); echo $((n + 1))', '12.4.1', '13'],
    ['cat <<END\n${y:-{}}\nEND', 'a  b', 'a  b'],
    ['n={}; if [[ $n -gt 3 ]]; then echo $((n + 1)); fi', '41', '42'],
    ['x=(a b c); echo ${x[{}]}', '2', 'c'],
    ['sh -c "echo {}"', 'nginx.service', 'nginx.service'],
    ['bash <<END\necho {}\nEND', 'eu-west/1', 'eu-west/1'],
    ['echo "echo {}" | bash', '7', '7'],
    ['echo v=1 | sed "s/^v=.*/v={}/"', '2.0-rc1', 'v=2.0-rc1'],
  ])('is taken where it is a number, or a plain word for a shell: %j', (script, value, wanted) => {
    expect(outputOf(script, value)[0]).toBe(wanted);
  });

  it.each([
    'bash -c "echo $(( {} ))"',
    "bash -c 'echo $(( {} ))'",
    'bash -c "[[ {} -gt 1 ]]"',
    'bash <<END\n[[ 1 -gt {} ]]\nEND',
    'python3 -c "print({})"',
  ])('is refused as a plain word where that is a name: %j', (script) => {
    expect(() => shellText(piecesOf(script, 'HOLDFAST_VALUE_2'))).toThrow(AppError);
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
    'f() { local x={}; echo "$x"; }; f',
    'declare -r X={}; echo "$X"',
    'printf "%s\\n" "let us read" {}',
    '[[ "" == "{}" ]] || echo {}',
    'if [[ -n {} ]]; then echo {}; fi',
    '# [[ is bash, (( too\necho {}',
    'cat <<END\nif [[ a && (( b\n{}\nEND',
    'y=${x%% #*}; echo {}',
    `x="\${y//"'"/}"; echo {}`,
    `x="\${y:-"it's"}"; echo {}`,
    'x=NAME; echo "${x/NAME/{}}"',
    'echo "${y:-{}}"',
    'x="$(case a in a) echo {} ;; *) echo "it\'s" ;; esac)"; echo "$x"; echo {}',
    'cat <<!\n{}\n!',
    `cat <<EOF-1\n{}\nEOF-1`,
    'cat <<END\nEND-USER\n  END\n{}\nEND',
    'echo "[info"; cat <<END\n{}\nEND',
    "echo \\\n# it's\necho {}",
    'X=1 bash -euo pipefail <<\'END\'\necho "{}"\nEND',
    'echo "{}" | python3 -m json.tool > /dev/null 2>&1; echo {}',
    'sed -n "/x/p" "{}" 2> /dev/null; awk -v x="{}" "BEGIN { print 1 }"; echo {}',
    'ssh -V "{}" 2> /dev/null; ssh {} 2> /dev/null; echo {}',
    'x=$((1<<2)); echo {}',
    'bash -c "echo $(printf %q {})"',
    `bash -s -- {} <<'END'\necho "$1"\nEND`,
    'ssh -V 2> /dev/null; echo {}',
    'echo ssh host; echo {}',
    'echo ssh host "a;b"\necho {}',
    "echo '[1]' > /dev/null; echo {}",
    `cat > /dev/null <<'END'\nx = ((1 + 2) * 3)\nEND\necho {}`,
  ])('has them as they are anywhere else: %j', (script) => {
    expect(outputOf(script).join('\n')).toContain(`${HOSTILE}\n`);
  });

  it.each([
    ['echo "<${}>"', `<$${HOSTILE}>`],
    ['echo "C:\\{}"', `C:\\${HOSTILE}`],
    ['echo C:\\{}', `C:\\${HOSTILE}`],
  ])('has what stands right before it as it is, too: %j', (script, wanted) => {
    expect(outputOf(script)[0]).toBe(wanted);
  });

  it('reads long and deep scripts, whatever they are made of', () => {
    const words = [
      'bash ',
      'ssh -o ',
      'bash -c ',
      'x[ ',
      '${x ',
      '(( ',
      '"let ',
      'for x in ',
      '[ -v ',
      'cat <<A ',
      '\' " ',
    ];
    for (const word of words) {
      const long = { kind: 'text', text: word.repeat(20_000) } as const;
      expect(() => {
        try {
          shellText([long, { kind: 'value', value: HOSTILE }]);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }).not.toThrow();
    }
    expect(() => shellText(piecesOf(`${'$('.repeat(200)}echo {}`))).toThrow(/nested/);
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
