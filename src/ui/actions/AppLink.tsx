import { useRef, type AnchorHTMLAttributes } from 'react';
import { useDevice } from '../Device.tsx';

/**
 * A link within the app: followed without loading a page, unless a new tab or window is asked for. It leads where it led
 * when it was pressed: lists that are filled anew under the finger would open something else.
 */
export function AppLink(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const device = useDevice();
  const pressed = useRef<string | null>(null);
  const { href, onClick, onPointerDown, children, ...rest } = props;
  return (
    <a
      {...rest}
      href={href}
      onPointerDown={(event) => {
        pressed.current = href;
        onPointerDown?.(event);
      }}
      onClick={(event) => {
        // The keyboard and a script press nothing.
        const target = event.detail === 0 ? href : (pressed.current ?? href);
        pressed.current = null;
        onClick?.(event);
        const isPlain =
          event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        device.navigate(target);
      }}
    >
      {children}
    </a>
  );
}
