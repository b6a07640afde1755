/** What became of a notification on each device of its person: sent, delivered, shown and acted on are told apart. */
import type { DeviceReceipt } from '../../../contract/http/notifications/notification-views.ts';
import { deviceName } from '../../../domain/device-name.ts';
import { formatInstant, formatSecond } from '../../../domain/time/format.ts';
import { messages as ui } from '../../../ui/messages.ts';
import classes from './history.module.css';
import { messages } from './messages.ts';

const words = messages.detail;
const STEPS = ['accepted', 'received', 'shown', 'acted'] as const;

function Moment({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined) return ui.nothing;
  const ms = Date.parse(at);
  return <time title={formatInstant(ms)}>{formatSecond(ms)}</time>;
}

function DeviceLine({ receipt }: { receipt: DeviceReceipt }) {
  const { device, action } = receipt;
  return (
    <tr>
      <th scope="row" title={device}>
        {deviceName(device) ?? words.unknownDevice}
      </th>
      {STEPS.map((step) => (
        <td key={step} data-label={words.receipt[step]}>
          {step === 'acted' && action ? `${words.actions[action] ?? action} ` : null}
          <Moment at={receipt[`${step}_at`]} />
        </td>
      ))}
    </tr>
  );
}

/** Nothing where no device was given it: it went by mail, or to a service. */
export function Receipts({ receipts }: { receipts: readonly DeviceReceipt[] }) {
  if (receipts.length === 0) return null;
  return (
    <section className={classes.section}>
      <h3>{words.devices}</h3>
      <div className={classes.wide}>
        <table className={`${classes.attempts} ${classes.receipts}`}>
          <thead>
            <tr>
              <th scope="col">{words.receipt.device}</th>
              {STEPS.map((step) => (
                <th key={step} scope="col">
                  {words.receipt[step]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {receipts.map((receipt, at) => (
              <DeviceLine key={at} receipt={receipt} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
