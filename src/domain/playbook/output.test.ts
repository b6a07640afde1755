import { expect, test } from 'vitest';
import { outputFile, outputLines, stepOutput } from './output.ts';

const about = { playbook: 'Restart service', startedAt: '2026-01-01T10:00:00Z' };

test('text is saved as .log, everything else as .json, named after playbook and start', () => {
  expect(outputFile({ stdout: 'a\n', exitCode: 0 }, about)).toMatchObject({
    name: 'Restart-service-2026-01-01T10-00-00Z.log',
    content: 'a\n',
  });
  expect(outputFile({ rows: [{ id: 1 }], count: 1 }, about).name).toMatch(/\.json$/);
});

test('results of every kind of action say what they wrote', () => {
  expect(stepOutput({ stdout: 'out', stderr: 'err', exitCode: 1, path: '/bin/sh', args: [] })).toEqual({
    text: 'out',
    errors: 'err',
    rest: {},
    isText: true,
  });
  expect(stepOutput({ Logs: 'from the pod' }).text).toBe('from the pod');
  expect(stepOutput({ rows: [] }).rest).toEqual({ rows: [] });
  expect(stepOutput(null)).toEqual({ text: '', errors: '', rest: {}, isText: false });
});

test('what only a terminal understands is taken out, and a line that was written over is its last writing', () => {
  expect(outputLines('\u001b[31mred\u001b[0m\r\n10%\r50%\r100%\nlast')).toEqual(['red', '100%', 'last']);
  expect(outputLines('')).toEqual([]);
});
