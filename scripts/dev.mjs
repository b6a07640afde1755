// `npm run dev`: the server from its sources on 8081, restarted when they change, and the app with hot reload on
// 8080, which passes /api on to the server.
import concurrently from 'concurrently';

const SERVER_PORT = '8081';
const APP_PORT = process.env.PORT ?? '8080';

const { result } = concurrently(
  [
    {
      name: 'server',
      command: `tsx watch --clear-screen=false --include "server/**/*" server/main.ts ${process.argv.slice(2).join(' ')}`,
      env: { PORT: SERVER_PORT, LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' },
    },
    {
      name: 'app',
      command: `vite --port ${APP_PORT} --strictPort`,
      env: { HOLDFAST_API: `http://127.0.0.1:${SERVER_PORT}` },
    },
  ],
  { killOthersOn: ['failure', 'success'], prefixColors: ['blue', 'green'] },
);
await result.catch(() => process.exit(1));
