import { links } from '../../../domain/links.ts';
import { may } from '../../../domain/access/matrix.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { Page } from '../../../ui/page/Page.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { addSilenceSearch } from '../search-schemas.ts';
import { messages } from './messages.ts';
import { SilenceForm } from './SilenceForm.tsx';
import { newValues } from './silence-form.ts';
import classes from './silences.module.css';

/** The form of a new silence, of what the link names (spec 2 §2); then back to the list. */
export function AddSilencePage({ roles }: { roles: readonly string[] }) {
  const device = useDevice();
  const [search] = useSearchState(addSilenceSearch);
  const lock = may(roles, 'notifications', 'write') ? null : messages.roleLocked;
  const leave = () => device.navigate(links.silences());
  return (
    <Page title={messages.addTitle}>
      <div className={classes.page}>
        <p className={classes.note}>
          <AppLink href={links.silences()}>{messages.label}</AppLink>
        </p>
        <SilenceForm
          key={JSON.stringify(search)}
          silence={null}
          first={newValues(search)}
          lock={lock}
          onDone={leave}
          onCancel={leave}
        />
      </div>
    </Page>
  );
}
