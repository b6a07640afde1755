import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { readCatalogue } from './catalogue-query.ts';
import type { Catalogue } from './catalogue.ts';

forEachDatabase((_name, open) => {
  let catalogue: Catalogue;
  beforeAll(async () => {
    catalogue = await readCatalogue(await open(), 'public');
  });

  const keysBetween = (from: string, to: string) =>
    catalogue.foreignKeys
      .filter((key) => key.from === from && key.to === to)
      .map(({ name, fromColumns, toColumns }) => ({ name, fromColumns, toColumns }));

  test('tables come with columns, types, primary and unique keys', () => {
    const statuses = catalogue.relations.get('check_statuses');
    expect(statuses?.isTable).toBe(true);
    expect(statuses?.primaryKey).toEqual(['check_id', 'time']);
    expect(statuses?.columns.get('time')?.type).toBe('timestamp with time zone');
    expect(catalogue.relations.get('checks')?.uniqueKeys).toContainEqual([
      'canary_id',
      'type',
      'name',
      'agent_id',
    ]);
  });

  test('foreign keys have the names that hints use', () => {
    expect(keysBetween('checks', 'canaries')).toEqual([
      { name: 'checks_canary_id_fkey', fromColumns: ['canary_id'], toColumns: ['id'] },
    ]);
    expect(keysBetween('checks', 'agents').map((key) => key.name)).toEqual(['checks_agent_id_fkey']);
    expect(keysBetween('config_component_relationships', 'config_items').map((key) => key.name)).toEqual([
      'config_component_relationships_config_id_fkey',
    ]);
  });

  test('a view carries the foreign keys of the columns that it shows, on both ends', () => {
    expect(keysBetween('check_config_relationships', 'configs')).toEqual([
      { name: 'check_config_relationships_config_id_fkey', fromColumns: ['config_id'], toColumns: ['id'] },
    ]);
    expect(keysBetween('check_summary', 'canaries').map((key) => key.name)).toEqual([
      'checks_canary_id_fkey',
    ]);
    expect(keysBetween('canaries_with_status', 'people').map((key) => key.name)).toEqual([
      'canaries_created_by_fkey',
    ]);
    expect(keysBetween('check_summary_for_config', 'config_items').map((key) => key.fromColumns)).toEqual([
      ['config_id'],
    ]);
  });

  test('functions come with arguments and the shape of their rows', () => {
    const [summary] = catalogue.functions.get('check_summary_for_component') ?? [];
    expect(summary).toMatchObject({
      returnsSet: true,
      isVolatile: false,
      args: [{ name: 'id', type: 'uuid', isOptional: false }],
    });
    expect(summary?.rows?.name).toBe('check_summary');
    expect(catalogue.functions.get('generate_ulid')?.[0]).toMatchObject({
      isVolatile: true,
      rows: null,
      returnsSet: false,
    });
    expect(catalogue.functions.has('touch_updated_at')).toBe(false);
  });
});
