import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LockedTablet } from '../../features/tablet/LockedTablet.tsx';
import { colorSchemeManager } from '../appearance.tsx';
import { styleNonce } from '../platform.ts';

/** Draws the page of a shared tablet while nobody is on, in place of the app. */
export function showLockedTablet(root: Element): void {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={styleNonce}
      >
        <LockedTablet />
      </MantineProvider>
    </StrictMode>,
  );
}
