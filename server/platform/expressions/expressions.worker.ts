/**
 * The thread in which scripts of specifications run: whatever they do, they cannot stop the server's own loop.
 * Its other end, expression-thread.ts, ends a thread that does not answer in time.
 */
import { randomUUID } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { nodePlatform } from '../platform.ts';
import { createScriptEvaluator } from './evaluate-script.ts';
import type { ScriptAnswer, ScriptRequest } from './script.ts';

const port = parentPort;
if (port === null) throw new Error('expressions.worker runs as a worker thread only');

const evaluate = createScriptEvaluator({ now: () => nodePlatform.now(), uuid: randomUUID });

function answer(request: ScriptRequest): ScriptAnswer {
  try {
    return { id: request.id, ok: true, value: evaluate(request.script, request.scope) };
  } catch (error) {
    return { id: request.id, ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (request: ScriptRequest) => port.postMessage(answer(request)));
port.postMessage('ready');
