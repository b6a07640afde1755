import {
  IconDatabase,
  IconDownload,
  IconFileDownload,
  IconLogout,
  IconSettings,
  IconUserCircle,
} from '@tabler/icons-react';
import type { MantineColorScheme } from '@mantine/core';
import { useMantineColorScheme } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { SessionUser } from '../../contract/session-user.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { mayAct } from '../../domain/access/objects.ts';
import { screenAt } from '../../domain/access/screens.ts';
import { links } from '../../domain/links.ts';
import { IconButton } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { MenuItem, MenuNote, MenuRule, Popover } from '../../ui/overlays/Popover.tsx';
import type { Density } from '../appearance.tsx';
import { useDensity } from '../appearance.tsx';
import { messages } from '../messages.ts';
import { installation } from '../platform.ts';

const words = messages.top;
const SCHEMES: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];
const DENSITIES: readonly Density[] = ['compact', 'comfortable'];

function Choices<Value extends string>(props: {
  heading: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  chosen: Value;
  onChoose: (value: Value) => void;
}) {
  const { heading, values, chosen, onChoose } = props;
  return (
    <div role="group" aria-label={heading}>
      <MenuNote isHeading>{heading}</MenuNote>
      {values.map((value) => (
        <MenuItem key={value} isChecked={value === chosen} onSelect={() => onChoose(value)}>
          {props.words[value]}
        </MenuItem>
      ))}
    </div>
  );
}

interface ProfileMenuProps {
  user: SessionUser;
  /** A health-only deployment has nobody who could sign out. */
  isChecksOnly: boolean;
  /** Without a way to clusters there is no kubeconfig. */
  hasClusterProxy: boolean;
  onKubeconfig: () => void;
  onSignOut: () => void;
}

/** The user's own corner: appearance, own settings, versions, sign-out. */
export function ProfileMenu(props: ProfileMenuProps) {
  const { user, isChecksOnly, hasClusterProxy, onKubeconfig, onSignOut } = props;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { density, setDensity } = useDensity();
  const { versions } = useSyncStatus();
  const device = useDevice();
  const canInstall = useSyncExternalStore(installation.subscribe, installation.isOffered);
  const mayDownload = !isChecksOnly && hasClusterProxy && mayAct(user.roles, 'kubernetes-proxy', 'create');
  const hasProfile = screenAt(links.profileSettings()) !== undefined;
  const name = user.name || user.email || user.id;
  return (
    <Popover
      kind="menu"
      label={words.profile(name)}
      trigger={(trigger) => (
        <IconButton label={words.profile(name)} {...trigger}>
          <IconUserCircle size={20} stroke={1.6} />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <MenuNote isHeading>{words.greeting(name)}</MenuNote>
          <MenuRule />
          <Choices
            heading={words.theme}
            values={SCHEMES}
            words={words.themes}
            chosen={colorScheme}
            onChoose={setColorScheme}
          />
          <Choices
            heading={words.density}
            values={DENSITIES}
            words={words.densities}
            chosen={density}
            onChoose={setDensity}
          />
          <MenuRule />
          {canInstall && (
            <MenuItem icon={<IconDownload size={16} />} onSelect={() => void installation.install()}>
              {words.install}
            </MenuItem>
          )}
          {hasProfile && (
            <MenuItem
              icon={<IconSettings size={16} />}
              onSelect={() => {
                close();
                device.navigate(links.profileSettings());
              }}
            >
              {words.profileSettings}
            </MenuItem>
          )}
          <MenuItem
            icon={<IconDatabase size={16} />}
            onSelect={() => {
              close();
              device.navigate(links.storage());
            }}
          >
            {words.storage}
          </MenuItem>
          {mayDownload && (
            <MenuItem
              icon={<IconFileDownload size={16} />}
              onSelect={() => {
                close();
                onKubeconfig();
              }}
            >
              {words.kubeconfig}
            </MenuItem>
          )}
          {!isChecksOnly && (
            <MenuItem
              icon={<IconLogout size={16} />}
              onSelect={() => {
                close();
                onSignOut();
              }}
            >
              {words.signOut}
            </MenuItem>
          )}
          <MenuNote>{words.versions(versions.app, versions.server)}</MenuNote>
        </>
      )}
    </Popover>
  );
}
