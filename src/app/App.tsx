/** Everything the pages are given: the theme, the device, the router. */
import { createTheme, MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { OPEN_PAGE } from '../contract/open-page.ts';
import { nowOnServer } from '../data/commands/commands.ts';
import { onOpenPage } from '../data/device/platform-open-page.ts';
import type { Device } from '../ui/Device.tsx';
import { DeviceProvider } from '../ui/Device.tsx';
import { createToastStore } from '../ui/feedback/toast-store.ts';
import { ToastProvider } from '../ui/feedback/Toasts.tsx';
import { colorSchemeManager, DensityProvider, useDensity } from './appearance.tsx';
import {
  addressOf,
  copyText,
  createTicker,
  newId,
  persistence,
  readSetting,
  readTabSetting,
  shareSheet,
  styleNonce,
  toastClock,
  writeSetting,
  writeTabSetting,
} from './platform.ts';
import { router } from './router.tsx';

/** The accent of src/ui/theme/tokens.css, from faint to strong, and its dark surfaces. */
const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 5 },
  defaultRadius: 'sm',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  colors: {
    dark: [
      '#e8ecf2',
      '#b4becc',
      '#929daf',
      '#6b7788',
      '#3a4552',
      '#29323e',
      '#1c232c',
      '#141920',
      '#0d1116',
      '#090c10',
    ],
    tide: [
      '#e6f3f8',
      '#cfe6ef',
      '#a3cfdf',
      '#74b7cf',
      '#4ea3c1',
      '#2f8cae',
      '#1c7798',
      '#0d6483',
      '#0a526c',
      '#063f54',
    ],
  },
});

function WithDevice() {
  const { density } = useDensity();
  const device = useMemo<Device>(
    () => ({
      now: nowOnServer,
      readSetting,
      writeSetting,
      readTabSetting,
      writeTabSetting,
      copyText,
      share: shareSheet(),
      addressOf,
      navigate: (path, { isReplacing } = { isReplacing: false }) =>
        isReplacing ? router.history.replace(path) : router.history.push(path),
      newId,
      persistence,
      density,
      styleNonce: styleNonce(),
      onTick,
    }),
    [density],
  );
  // Heard from the start: a tap on a notification may open a page whose parts are not all loaded yet.
  useEffect(() => onOpenPage(OPEN_PAGE, (url) => router.history.push(url)), []);
  return (
    <DeviceProvider device={device}>
      <ToastProvider store={toasts}>
        <RouterProvider router={router} />
      </ToastProvider>
    </DeviceProvider>
  );
}

const onTick = createTicker();
const toasts = createToastStore(toastClock);

/** Rendered once, by main.tsx. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={styleNonce}
    >
      <DensityProvider>
        <WithDevice />
      </DensityProvider>
    </MantineProvider>
  );
}
