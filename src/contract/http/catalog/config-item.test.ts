import { expect, test } from 'vitest';
import { configDetailSchema } from './config-item.ts';

test('a property that cannot be read costs itself alone', () => {
  const properties = [{ name: 'Owner', text: 'payments' }, 5, { name: { a: 1 } }, { name: 'Zone', value: 3 }];
  const { properties: read } = configDetailSchema.parse({ id: 'a', config: null, properties });
  expect(read.map(({ name }) => name)).toEqual(['Owner', 'Zone']);
  expect(configDetailSchema.parse({ id: 'a', config: null, properties: 'none' }).properties).toEqual([]);
});
