/** Puts src/app/first-visit.ts into the document, in one piece: what it does must not wait for a file. */
import { build, type Plugin } from 'vite';

const ENTRY = 'src/app/first-visit.ts';
const TAG = '<script id="first-visit"></script>';

async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: ENTRY, formats: ['iife'], name: 'firstVisit' },
    },
  });
  const [file] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (file?.type !== 'chunk' || file.code.includes('</script')) throw new Error(`${ENTRY} is not one script`);
  return file.code;
}

/** In development it is a module like all others. */
export function firstVisitScript(): Plugin {
  let isBuild = false;
  return {
    name: 'first-visit-script',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const script = isBuild
          ? `<script>${await bundled()}</script>`
          : `<script type="module" src="/${ENTRY}"></script>`;
        if (!html.includes(TAG)) throw new Error(`index.html has no ${TAG}`);
        return html.replace(TAG, () => script);
      },
    },
  };
}
