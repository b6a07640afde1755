/** What somebody types into a parameter is a value everywhere, whatever it looks like: never shell, SQL, URL or JSON. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runScript } from '../../server/platform/exec/run-script.ts';
import { createExpressions } from '../../server/platform/expressions/expression-thread.ts';
import { createRunScope } from '../../server/playbooks/running/run-scope.ts';
import { jsonText } from '../../server/playbooks/templates/json-text.ts';
import { shellText } from '../../server/playbooks/templates/shell-text.ts';
import { sqlText } from '../../server/playbooks/templates/sql-text.ts';
import { urlText } from '../../server/playbooks/templates/url-text.ts';

const TOUCHED = join(tmpdir(), 'holdfast-hostile-value');
const expressions = createExpressions();
afterAll(() => expressions.close());

const pieces = (template: string, v: string) =>
  createRunScope({ expressions, mark: 'f00d' }, { params: { v } }, []).pieces(template);

const attack = fc.constantFrom(
  `$(touch ${TOUCHED})`,
  `\`touch ${TOUCHED}\``,
  `'; touch ${TOUCHED}; '`,
  `"; touch ${TOUCHED}; "`,
  `"'"; touch ${TOUCHED} #`,
  `\n touch ${TOUCHED}\n`,
  `a[$(touch ${TOUCHED})]`,
  `&& touch ${TOUCHED}`,
  `EOF\ntouch ${TOUCHED}\n`,
  `\${HOME}$HOME~*?[a-z]{a,b}\\`,
  `' or '1'='1`,
  `'; drop table checks; --`,
  `1; select pg_sleep(9)`,
  '../../admin?x=1#y',
  '@evil.example/',
  '","admin":true,"x":"',
  '{{ .params }}',
  '\\',
  '-rf /',
  '',
);
const value = fc
  .oneof(
    attack,
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(attack, { maxLength: 3 }).map((all) => all.join('')),
  )
  .map((text) => text.replaceAll('\0', ''));

describe('a hostile value', () => {
  it('is never run by a shell, and arrives as it is wherever quotes may stand', async () => {
    const places = [
      '{{.params.v}}',
      '"{{.params.v}}"',
      "'{{.params.v}}'",
      '"$(printf \'%s\' {{.params.v}})"',
      '"a"\'b\'"{{.params.v}}"',
      "$'a\\'b{{.params.v}}'",
      '"`printf \'%s\' {{.params.v}}`"',
      '"$(cat <<EOF\n{{.params.v}}\nEOF\n)"',
    ];
    await fc.assert(
      fc.asyncProperty(value, async (v) => {
        const template = [
          ...places.map((place) => `printf '%s\\0' ${place}`),
          "# it's {{.params.v}}",
          'cat > /dev/null <<EOF\n"{{.params.v}}\nEOF',
          "printf '%s\\0' {{.params.v}}",
        ].join('\n');
        const { script, env } = shellText(await pieces(template, v));
        const wanted: string[] = [];
        const ended = await runScript({
          script,
          env,
          signal: AbortSignal.timeout(20_000),
          maxOutputBytes: 1_000_000,
          output: (stream, text) => (stream === 'stdout' ? wanted.push(text) : 0),
        });
        // A command substitution takes the line ends at the end away, as it does from any output.
        const nested = v.replace(/\n+$/, '');
        const found = wanted.join('').split('\0').slice(0, -1);
        expect(found).toEqual([v, v, v, nested, `ab${v}`, `a'b${v}`, nested, nested, v]);
        expect(ended.exitCode).toBe(0);
        expect(existsSync(TOUCHED)).toBe(false);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each([
    'echo $(( {{.params.v}} + 1 ))',
    '[[ {{.params.v}} -eq 1 ]]',
    'let x={{.params.v}}',
    'eval "{{.params.v}}"',
  ])('is refused where bash would run what is in it: %s', async (template) => {
    const found = await pieces(template, `a[$(touch ${TOUCHED})]`);
    expect(() => shellText(found)).toThrow(/bash would run/);
  });

  it("is refused in lines that are not filled in, in which it would be a variable's name", async () => {
    const found = await pieces("cat > /dev/null <<'EOF'\n{{.params.v}}\nEOF", 'x');
    expect(() => shellText(found)).toThrow(/in which nothing is filled in/);
  });

  it('is a parameter of a statement, never its text', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (v) => {
        const found = await pieces("select {{.params.v}}, '{{.params.v}}' where a = {{.params.v}}", v);
        expect(sqlText(found, (number) => `$${number}`)).toEqual({
          query: 'select $1, $2 where a = $3',
          parameters: [v, v, v],
        });
      }),
      { numRuns: 60 },
    );
  });

  it('stays in its segment and field of an address', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (v) => {
        const found = await pieces('https://api.example.com/a/{{.params.v}}/b?x={{.params.v}}', v);
        if (/^\.+$/.test(v)) {
          expect(() => urlText(found)).toThrow(/another path/);
          return;
        }
        const { url: text, isHostChosen } = urlText(found);
        const url = new URL(text);
        expect([url.host, url.username, url.hash, isHostChosen]).toEqual(['api.example.com', '', '', false]);
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', v, 'b']);
        expect([...url.searchParams.keys()]).toEqual(['x']);
      }),
      { numRuns: 100 },
    );
  });

  it('makes no other host of an address, unless the host is what it says; then it is a stranger’s choice', async () => {
    expect(() =>
      urlText([
        { kind: 'text', text: 'http://' },
        { kind: 'value', value: 'a@evil' },
      ]),
    ).toThrow(/host/);
    expect(urlText(await pieces('http://{{.params.v}}:80/', '127.0.0.1'))).toMatchObject({
      isHostChosen: true,
    });
  });

  it('is one value of a JSON document', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (v) => {
        const found = await pieces('{"a": "x{{.params.v}}y", "b": ["{{.params.v}}"]}', v);
        expect(JSON.parse(jsonText(found))).toEqual({ a: `x${v}y`, b: [v] });
        const bare = JSON.parse(jsonText(await pieces('{"a": {{.params.v}}}', v))) as object;
        expect(Object.keys(bare)).toEqual(['a']);
      }),
      { numRuns: 100 },
    );
  });
});
