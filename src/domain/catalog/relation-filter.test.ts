import { expect, test } from 'vitest';
import { relationTest, type FilteredItem, type RelationFilter } from './relation-filter.ts';

const POD: FilteredItem = {
  type: 'Kubernetes::Pod',
  status: 'Running',
  health: 'healthy',
  labels: { app: 'api', team: 'payments' },
  tags: { namespace: 'prod' },
  deletedAt: null,
};
const ALL: RelationFilter = {
  hidesDeleted: false,
  types: {},
  labels: {},
  statuses: {},
  healths: {},
  tag: null,
};
const passes = (filter: Partial<RelationFilter>, item: Partial<FilteredItem> = {}) =>
  relationTest({ ...ALL, ...filter })({ ...POD, ...item });

test('without filters everything passes, deleted items, too', () => {
  expect(passes({}, { deletedAt: '2026-01-01T00:00:00Z' })).toBe(true);
});

test('deleted items can be hidden', () => {
  expect(passes({ hidesDeleted: true }, { deletedAt: '2026-01-01T00:00:00Z' })).toBe(false);
  expect(passes({ hidesDeleted: true })).toBe(true);
});

test('a wanted type lets only its own pass, an unwanted one all others', () => {
  expect(passes({ types: { 'Kubernetes::Pod': 1 } })).toBe(true);
  expect(passes({ types: { 'Kubernetes::Node': 1 } })).toBe(false);
  expect(passes({ types: { 'Kubernetes::Pod': -1 } })).toBe(false);
  expect(passes({ types: { 'Kubernetes::Node': -1 } })).toBe(true);
});

test('an item whose health nobody knows is of unknown health', () => {
  expect(passes({ healths: { unknown: 1 } }, { health: null })).toBe(true);
  expect(passes({ healths: { unknown: -1 } }, { health: null })).toBe(false);
  expect(passes({ healths: { unknown: 1 } })).toBe(false);
});

test('an unwanted status keeps items without one', () => {
  expect(passes({ statuses: { Running: -1 } }, { status: null })).toBe(true);
});

test('labels: any wanted value of a key, all wanted keys, no unwanted value', () => {
  expect(passes({ labels: { 'app:api': 1, 'app:web': 1 } })).toBe(true);
  expect(passes({ labels: { 'app:api': 1, 'team:search': 1 } })).toBe(false);
  expect(passes({ labels: { 'team:payments': -1 } })).toBe(false);
  expect(passes({ labels: { 'team:search': -1 } })).toBe(true);
});

test('a tag is a key with its value', () => {
  expect(passes({ tag: { key: 'namespace', value: 'prod' } })).toBe(true);
  expect(passes({ tag: { key: 'namespace', value: 'dev' } })).toBe(false);
});
