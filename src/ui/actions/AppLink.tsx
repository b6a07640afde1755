import type { AnchorHTMLAttributes } from 'react';
import { useDevice } from '../Device.tsx';

/** A link within the app: followed without loading a page, unless a new tab or window is asked for. */
export function AppLink(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const device = useDevice();
  const { href, onClick, children, ...rest } = props;
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const isPlain =
          event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        device.navigate(href);
      }}
    >
      {children}
    </a>
  );
}
