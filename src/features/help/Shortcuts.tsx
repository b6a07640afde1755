import classes from './help.module.css';
import { messages } from './messages.ts';

/** What the keys do. */
export function Shortcuts() {
  return (
    <dl className={classes.keys}>
      {messages.keys.map(({ keys, does }) => (
        <div key={does} style={{ display: 'contents' }}>
          <dt className={classes.key}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
