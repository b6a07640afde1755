/** The things whose playbooks this device keeps, whether or not they are part of an incident. */
import { useState } from 'react';
import { z } from 'zod/mini';
import type { PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import { useDevice, type Device } from '../../../ui/Device.tsx';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

const KEY = 'playbooks.pinned';
const MOST = 20;
const pinnedSchema = z.array(z.object({ kind: z.enum(['config', 'component', 'check']), id: z.string() }));

/** Newest first. */
export function readPinned(device: Pick<Device, 'readSetting'>): PlaybookResource[] {
  const found = pinnedSchema.safeParse(jsonOrNull(device.readSetting(KEY)));
  return found.success ? found.data : [];
}

const isSame = (a: PlaybookResource, b: PlaybookResource) => a.kind === b.kind && a.id === b.id;

/** Whether a thing is pinned on this device, and how to change that. */
export function usePinned(resource: PlaybookResource): [boolean, (isPinned: boolean) => void] {
  const device = useDevice();
  const [isPinned, setIsPinned] = useState(() => readPinned(device).some((one) => isSame(one, resource)));
  const change = (next: boolean) => {
    const others = readPinned(device).filter((one) => !isSame(one, resource));
    const { kind, id } = resource;
    const pinned = next ? [{ kind, id }, ...others] : others;
    device.writeSetting(KEY, JSON.stringify(pinned.slice(0, MOST)));
    setIsPinned(next);
  };
  return [isPinned, change];
}
