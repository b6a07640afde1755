/** Puts scripts into the document, each in one piece: what they do must not wait for a file. */
import { build, type Plugin } from 'vite';

/** By the tag that index.html has for it. */
const INLINE: readonly (readonly [tag: string, entry: string])[] = [
  ['<script id="watch-files"></script>', 'src/app/watch-files.ts'],
  ['<script id="first-visit"></script>', 'src/app/first-visit.ts'],
  ['<script id="find-frame"></script>', 'src/app/find-frame.ts'],
  ['<script id="start"></script>', 'src/app/start.ts'],
];
const MODULE = /<script type="module"([^>]*) src="([^"]+)"([^>]*)><\/script>/;

async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'inline' },
    },
  });
  const [file] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (file?.type !== 'chunk' || file.code.includes('</script')) throw new Error(`${entry} is not one script`);
  return file.code;
}

async function withScripts(html: string, isBuild: boolean): Promise<string> {
  let result = html;
  for (const [tag, entry] of INLINE) {
    if (!result.includes(tag)) throw new Error(`index.html has no ${tag}`);
    const script = isBuild
      ? `<script>${await bundled(entry)}</script>`
      : `<script type="module" src="/${entry}"></script>`;
    result = result.replace(tag, () => script);
  }
  return result;
}

/**
 * Where a first frame is stored (src/app/find-frame.ts) the app's script is loaded, and started by src/app/start.ts once
 * that is painted; else it is a script like any other, which a browser compiles while it comes.
 */
function chooser(attributes: string, src: string): string {
  return `document.write(globalThis.holdfastHasFrame
      ? '<link id="entry" rel="modulepreload"${attributes} href="${src}">'
      : '<script id="entry" type="module"${attributes} src="${src}"></' + 'script>');`;
}

const FIRST_TAG = '<meta charset="utf-8" />';

/**
 * Asks for the app's script with the first bytes of the document: over the document's own connection, as the first of all
 * files. Asked for behind the scripts it had to wait for a new connection, 0.3 s on a line of 400 ms (decision 0097).
 */
function withPreload(html: string, attributes: string, src: string): string {
  if (!html.includes(FIRST_TAG)) throw new Error(`index.html has no ${FIRST_TAG}`);
  return html.replace(
    FIRST_TAG,
    () => `${FIRST_TAG}\n    <link rel="preload" as="script"${attributes} href="${src}">`,
  );
}

/** In development they are modules like all others. */
export function inlineScripts(): Plugin[] {
  let isBuild = false;
  return [
    {
      name: 'inline-scripts',
      configResolved(config) {
        isBuild = config.command === 'build';
      },
      transformIndexHtml: { order: 'pre', handler: (html) => withScripts(html, isBuild) },
    },
    {
      name: 'start-by-inline-script',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler(html) {
          const [tag, before = '', src, after = ''] = MODULE.exec(html) ?? [];
          if (tag === undefined || src === undefined)
            throw new Error('the built index.html has no script of the app');
          const chosen = html.replace(tag, () => `<script${after}>${chooser(before, src)}</script>`);
          return withPreload(chosen, before, src);
        },
      },
    },
  ];
}
