/** Whether a page's sidebar is shown: beside the page where there is room, over it where there is none (contract §19.13). */
import { useState } from 'react';
import { useDevice } from '../Device.tsx';
import { useMedia } from '../hooks/use-media.ts';

const SIDE_BY_SIDE = '(min-width: 1024px)';

interface Sidebar {
  /** It has room beside the page. */
  isWide: boolean;
  isShown: boolean;
  toggle: () => void;
}

/** `key` is under what this device remembers that it is closed. */
export function useSidebar(key: string): Sidebar {
  const device = useDevice();
  const isWide = useMedia(SIDE_BY_SIDE);
  const [isHidden, setHidden] = useState(device.readSetting(key) === 'yes');
  const [isOver, setOver] = useState(false);
  return {
    isWide,
    isShown: isWide ? !isHidden : isOver,
    toggle: () => {
      if (!isWide) {
        setOver(!isOver);
        return;
      }
      device.writeSetting(key, isHidden ? 'no' : 'yes');
      setHidden(!isHidden);
    },
  };
}
