// `npm run dev`: the server from its sources on 8081, restarted when they change, and the app with hot reload on
// 8080, which passes /api on to the server.
import { delimiter, resolve } from 'node:path';
import concurrently from 'concurrently';

const SERVER_PORT = '8081';
const APP_PORT = process.env.PORT ?? '8080';
const PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
const args = process.argv.slice(2).join(' ');

const { result } = concurrently(
  [
    {
      name: 'server',
      command: `tsx watch --clear-screen=false server/app/main.ts ${args}`,
      env: { PATH, PORT: SERVER_PORT },
    },
    {
      name: 'app',
      command: `vite --port ${APP_PORT} --strictPort`,
      env: { PATH, HOLDFAST_API: `http://127.0.0.1:${SERVER_PORT}` },
    },
  ],
  { killOthersOn: ['failure', 'success'], prefixColors: ['blue', 'green'] },
);
const isOk = await result.then(
  () => true,
  () => false,
);
process.exit(isOk ? 0 : 1);
