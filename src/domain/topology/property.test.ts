import { describe, expect, it } from 'vitest';
import { propertyRows } from './property-rows.ts';
import { formatAmount, formatSize, shownProperty } from './property-text.ts';
import { propertiesOf, webAddress } from './property.ts';

function shown(property: Record<string, unknown>, isShort = false) {
  const [parsed] = propertiesOf([{ name: 'x', ...property }]);
  return parsed === undefined ? undefined : shownProperty(parsed, { isShort });
}

function textOf(property: Record<string, unknown>, isShort = false): string | null {
  const found = shown(property, isShort);
  return found?.kind === 'text' ? [found.text, found.of].filter((part) => part !== null).join(' of ') : null;
}

describe('a property of a component', () => {
  it('that says when something was is shown as an age', () => {
    const at = '2026-01-01T00:00:00Z';
    expect(shown({ name: 'created', text: at })).toEqual({ kind: 'age', at });
    expect(shown({ name: 'born', type: 'age', text: at })).toEqual({ kind: 'age', at });
    expect(shown({ name: 'created' })).toBeNull();
  });

  it('stands where it is placed, before those to which nobody gives a place', () => {
    const found = propertiesOf([
      { name: 'a' },
      { name: 'b', order: 2 },
      { name: 'c' },
      { name: 'd', order: 1 },
    ]);
    expect(found.map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
  });

  it('that is an address is a link without its https, and no other scheme is one', () => {
    expect(shown({ type: 'url', text: 'https://a.example/b' })).toEqual({
      kind: 'links',
      links: [{ url: 'https://a.example/b', label: 'a.example/b', tooltip: 'https://a.example/b' }],
    });
    expect(shown({ type: 'url', text: 'javascript:alert(1)' })).toMatchObject({ kind: 'text' });
    expect(webAddress('javascript:alert(1)')).toBeNull();
    const logs = { label: 'Logs', url: 'https://l', tooltip: 'Of today' };
    expect(shown({ links: [logs, { url: 'file:///etc' }] })).toEqual({ kind: 'links', links: [logs] });
  });

  it('that has links and no value is those links, whatever its text', () => {
    const links = [{ label: 'Runbook', url: 'https://wiki.example/run' }];
    const asLinks = { kind: 'links', links: [{ ...links[0], tooltip: links[0]?.url }] };
    expect(shown({ text: 'Read this', links })).toEqual(asLinks);
    expect(shown({ type: 'text', links })).toEqual(asLinks);
    expect(textOf({ text: 'Read this', value: 4, max: 8, links })).toBe('50%');
    expect(textOf({ type: 'badge', text: 'beta', links })).toBe('beta');
    expect(shown({ text: 'Board', url: 'https://b.example/1' })).toEqual({
      kind: 'links',
      links: [{ label: 'Board', url: 'https://b.example/1', tooltip: 'https://b.example/1' }],
    });
  });

  it('that is money has the more digits the smaller it is', () => {
    const written = [1234, 512.6, 12.34, 0.5, 0.0052, 0.0005].map(formatAmount);
    expect(written).toEqual(['1.2k', '513', '12.3', '0.50', '0.005', '0.0005']);
    expect(textOf({ type: 'currency', value: 1500 })).toBe('1.5k');
  });

  it('of processor or memory has a bar where the most is known, red above 70 percent', () => {
    expect(shown({ name: 'cpu', unit: 'millicores', value: 1500, max: 2000 })).toEqual({
      kind: 'text',
      text: '1.50',
      of: '2.00',
      share: 0.75,
      isHigh: true,
    });
    expect(shown({ name: 'memory', unit: 'bytes', value: 100, max: 200 })).toMatchObject({
      text: '100 B',
      share: 0.5,
      isHigh: false,
    });
    expect(shown({ name: 'memory', value: 3 * 1024 ** 3 })).toMatchObject({ text: '3 GB', share: null });
  });

  it('of a share is percent', () => {
    expect(textOf({ unit: 'percent', value: 0.425 })).toBe('42.5%');
  });

  it('with a most is its share of it, with the most behind where there is room', () => {
    expect(textOf({ unit: 'bytes', value: 1024 ** 2, max: 2 * 1024 ** 2 })).toBe('50% of 2 MB');
    expect(textOf({ unit: 'bytes', value: 1024 ** 2, max: 2 * 1024 ** 2 }, true)).toBe('50%');
    expect(shown({ value: 71, max: 100 })).toMatchObject({ text: '71%', of: null, isHigh: true });
    expect(shown({ value: 70, max: 100 })).toMatchObject({ isHigh: false });
    expect(shown({ value: 5, max: 0 })).toMatchObject({ text: '5', share: null });
  });

  it('is its value in its unit, or its text', () => {
    expect(textOf({ unit: 'milliseconds', value: 1500 })).toBe('1.5');
    expect(textOf({ unit: 'bytes', value: 1.5 * 1024 ** 3 })).toBe('1.5 GB');
    expect(textOf({ value: 0 })).toBe('0');
    expect(textOf({ text: 'eu-west' })).toBe('eu-west');
    expect(formatSize(1024 ** 3)).toBe('1 GB');
  });

  it('that is hidden or says nothing is not shown', () => {
    expect(shown({ type: 'hidden', text: 'secret' })).toBeNull();
    expect(shown({ text: '', value: null })).toBeNull();
    expect(propertiesOf('nonsense')).toEqual([]);
    expect(propertiesOf([null, 1, 'x'])).toEqual([]);
  });
});

it('has its color, else that of a status which is a word of health; what is said of both parts of a row is together', () => {
  const found = propertiesOf([
    { name: 'a', text: 'x', status: 'Degraded' },
    { name: 'b', text: 'x', status: 'unhealthy', color: 'green' },
    { name: 'c', text: 'x', status: 'Running' },
    { name: 'os', text: 'linux', tooltip: 'Of the node', icon: 'linux' },
    { name: 'arch', text: 'arm64', tooltip: 'Of its processor' },
  ]);
  expect(found.map(({ color }) => color)).toEqual(['red', 'green', null, null, null]);
  expect(propertyRows(found).find(({ label }) => label.startsWith('OS'))).toMatchObject({
    icon: 'linux',
    tooltip: 'Of the node · Of its processor',
  });
});

it('rows of the sidebar are grouped by the part before the colon, sorted by label, with pairs merged', () => {
  const rows = propertyRows(
    propertiesOf([
      { name: 'zone', text: 'a' },
      { name: 'region', text: 'eu' },
      { name: 'os', text: 'linux' },
      { name: 'aws:subnet', text: 's1' },
      { name: 'aws:vpc', text: 'v1' },
      { name: 'kubelet', text: '1.30', namespace: 'node' },
      { name: 'nothing' },
    ]),
  );
  expect(rows.map(({ group, label }) => [group, label])).toEqual([
    [null, 'node Kubelet'],
    [null, 'OS'],
    [null, 'Region / Zone'],
    ['aws', 'VPC / Subnet'],
  ]);
  expect(rows[2]?.values.map(({ shown: one }) => one)).toMatchObject([{ text: 'eu' }, { text: 'a' }]);
});
