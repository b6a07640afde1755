import { describe, expect, test } from 'vitest';
import { disablingProperty, FLAGS, isFeatureOn, type Flag } from './flags.ts';
import { may, ROLES } from './matrix.ts';
import {
  homePath,
  isViewerOnly,
  screenAccess,
  menuScreens,
  screenAt,
  SCREENS,
  type Screen,
  type Viewer,
} from './screens.ts';

const viewer = (change: Partial<Viewer> = {}): Viewer => ({
  roles: ['admin'],
  properties: new Map(),
  isChecksOnly: false,
  ...change,
});
const off = (...flags: Flag[]) => new Map(flags.map((flag) => [disablingProperty(flag), 'true']));
const paths = (screens: readonly Screen[]) => screens.map(({ path }) => path);
const ROLE_SETS = [[], ...ROLES.map((role) => [role]), ['viewer', 'responder'], ['no-such-role']];

/** Every screen with every role and each flag switched off. */
const WALK = SCREENS.flatMap((screen: Screen) =>
  ROLE_SETS.flatMap((roles) => [null, ...FLAGS].map((flag) => ({ screen, roles, flag }))),
);

describe('screens', () => {
  test('no path is there twice', () => {
    expect(new Set(paths(SCREENS)).size).toBe(SCREENS.length);
  });

  test('every role, screen and flag: open exactly when the flag is on and the role may', () => {
    const walked = { open: 0, disabled: 0, forbidden: 0 };
    for (const { screen, roles, flag } of WALK) {
      const properties = flag === null ? new Map<string, string>() : off(flag);
      const isOn = screen.flag === null || isFeatureOn(screen.flag, properties);
      const isAllowed = screen.needs === null || may(roles, screen.needs.area, screen.needs.action);
      const whenOn = isAllowed ? 'open' : 'forbidden';
      const expected = isOn ? whenOn : 'disabled';
      const where = `${screen.path} ${roles.join()} ${flag ?? 'no flag'}`;
      expect(screenAccess(screen, viewer({ roles, properties })), where).toBe(expected);
      walked[expected] += 1;
    }
    expect(walked.open).toBeGreaterThan(1000);
    expect(walked.disabled).toBeGreaterThan(0);
  });

  test('a screen that the role may not see is forbidden', () => {
    const connections: Screen = {
      path: '/x',
      title: 'x',
      needs: { area: 'connections', action: 'read' },
      flag: null,
      menu: 'settings',
    };
    for (const role of ROLES)
      expect(screenAccess(connections, viewer({ roles: [role] }))).toBe(
        role === 'admin' ? 'open' : 'forbidden',
      );
  });

  test('a menu never offers what opening it would refuse', () => {
    for (const { roles, flag } of WALK) {
      const who = viewer({ roles, properties: flag === null ? new Map() : off(flag) });
      for (const screen of [...menuScreens('main', who), ...menuScreens('settings', who)])
        expect(screenAccess(screen, who)).toBe('open');
    }
  });

  test('until the flags are known, what a flag may switch off waits; the rest and the standalone view do not', () => {
    const unknown = viewer({ properties: null });
    const waits = ({ flag, isStandalone }: Screen) => flag !== null && isStandalone !== true;
    for (const screen of SCREENS)
      expect(screenAccess(screen, unknown), screen.path).toBe(waits(screen) ? 'waiting' : 'open');
    expect(screenAccess({ ...SCREENS[0], isStandalone: true }, unknown)).toBe('open');
  });

  test('the main menu stands in the order of the spec', () => {
    expect(paths(menuScreens('main', viewer()))).toEqual([
      '/topology',
      '/health',
      '/incidents',
      '/catalog',
      '/logs',
      '/playbooks',
      '/notifications',
      '/shift',
      '/outbox',
      '/help',
    ]);
  });

  test('the settings menu is hidden from viewers, also from those without any role', () => {
    for (const roles of ROLE_SETS)
      expect(menuScreens('settings', viewer({ roles })).length > 0, String(roles)).toBe(!isViewerOnly(roles));
    expect(isViewerOnly([])).toBe(true);
    expect(isViewerOnly(['viewer', 'editor'])).toBe(false);
  });

  test('a health-only deployment has health and what belongs to the device, and nothing else', () => {
    const checksOnly = viewer({ roles: ['viewer'], isChecksOnly: true });
    expect(paths(menuScreens('main', checksOnly))).toEqual(['/health', '/help']);
    expect(menuScreens('settings', viewer({ isChecksOnly: true }))).toEqual([]);
    expect(screenAccess(screenAt('/incidents')!, checksOnly)).toBe('absent');
    expect(homePath(checksOnly, { hasComponents: false })).toBe('/health');
  });

  test('home is the topology once it has a component, or the first screen that is left', () => {
    const some = { hasComponents: true };
    const none = { hasComponents: false };
    expect(homePath(viewer(), some)).toBe('/topology');
    expect(homePath(viewer(), none)).toBe('/health');
    expect(homePath(viewer({ properties: off('health', 'incidents') }), none)).toBe('/catalog');
    expect(homePath(viewer({ properties: off('topology') }), some)).toBe('/health');
    expect(homePath(viewer({ properties: off('topology', 'health', 'incidents') }), some)).toBe('/catalog');
    const onlyTopology = FLAGS.filter((flag) => flag !== 'topology');
    expect(homePath(viewer({ properties: off(...onlyTopology) }), none)).toBe('/shift');
  });
});
