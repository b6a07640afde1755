/** What the shared parts and the features need of the device, given by the app: they touch no browser global. */
import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

export type CopyResult = 'copied' | 'unavailable' | 'failed';

/** Whether the browser promised not to evict what this device keeps; null where it doesn't tell. */
export interface Persistence {
  read(): Promise<boolean | null>;
  /** Asks the browser for that promise; answers what came of it. */
  ask(): Promise<boolean | null>;
}

export interface Device {
  /** The server's clock, ms. */
  now(): number;
  /** Small settings of this device; a blocked storage reads as empty. */
  readSetting(key: string): string | null;
  writeSetting(key: string, value: string): void;
  /** The same for as long as the tab lives. */
  readTabSetting(key: string): string | null;
  writeTabSetting(key: string, value: string): void;
  copyText(text: string): Promise<CopyResult>;
  /** The system's share sheet, where there is one. */
  share: ((data: { title: string; text?: string; url: string }) => Promise<void>) | null;
  /** A path of this app as a full address. */
  addressOf(path: string): string;
  /** Goes to a path of this app; `isReplacing`: Back skips the page that is left. */
  navigate(path: string, options?: { isReplacing: boolean }): void;
  /** A new id for something that is made on this device. */
  newId(): string;
  persistence: Persistence;
  density: 'compact' | 'comfortable';
  /** Nonce for style tags that a component writes itself. */
  styleNonce: string;
  /** Calls the listener about once a second while the page is visible. */
  onTick: (listener: () => void) => () => void;
}

const DeviceContext = createContext<Device | null>(null);

/** The app gives the real device once, at the root; tests give theirs. */
export function DeviceProvider({ device, children }: { device: Device; children: ReactNode }) {
  return <DeviceContext value={device}>{children}</DeviceContext>;
}

/** The device that the app gave. */
export function useDevice(): Device {
  const device = useContext(DeviceContext);
  if (device === null) throw new Error('DeviceProvider is missing');
  return device;
}
