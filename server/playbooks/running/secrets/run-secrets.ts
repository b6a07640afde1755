/** Parameters that are typed as passwords: the run that everybody reads has stars in their places, its state has them sealed. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import type { PlaybookSpec } from '../../../../src/contract/specs/playbook-spec.ts';
import { secretNames, STARS } from '../../../../src/domain/playbook/secret-parameters.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { jsonObject } from '../../../platform/db/row-schema.ts';

type Parameters = Record<string, string>;

const valuesSchema = z.record(z.string(), z.string());
const purposeOf = (runId: string) => `playbook run ${runId}`;

/** The values of passwords among the parameters; empty ones are none. */
export function secretValues({ parameters = [] }: PlaybookSpec, given: Readonly<Parameters>): Parameters {
  const secret = secretNames(parameters);
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => secret.has(name) && value !== ''),
  );
}

/** What a run is started with. */
export interface RunGiven {
  parameters: Parameters;
  /** What a webhook was sent, or the event that started it. */
  request: Record<string, unknown> | null;
}

/** As everybody reads it. */
export interface HiddenGiven extends RunGiven {
  /** Sealed: what was hidden; null where that is nothing. */
  secrets: string | null;
}

/** Stands for the request among what is sealed: no parameter can have this name. */
const REQUEST = '\0request';

/** What is stored of a run: without its passwords, wherever another parameter or the request repeats them. */
export function hideSecrets(
  run: RunGiven & { id: string; passwords: Readonly<Parameters> },
  sealer: Pick<Sealer, 'seal'>,
): HiddenGiven {
  const { id, passwords, request } = run;
  const given = { ...run.parameters };
  const names = Object.keys(passwords);
  if (names.length === 0) return { parameters: given, request, secrets: null };
  const redactor = createRedactor();
  for (const value of Object.values(passwords)) redactor.note(value);
  const stars = Object.fromEntries(names.map((name) => [name, STARS]));
  const shown: Parameters = { ...redactor.value(given), ...stars };
  const shownRequest = redactor.value(request);
  const isSame = JSON.stringify(shownRequest) === JSON.stringify(request);
  const hidden = {
    ...Object.fromEntries(Object.entries(given).filter(([name, value]) => shown[name] !== value)),
    ...(isSame ? {} : { [REQUEST]: JSON.stringify(request) }),
  };
  return {
    parameters: shown,
    request: shownRequest,
    secrets: sealer.seal(JSON.stringify(hidden), purposeOf(id)),
  };
}

/** What the run was started with. Throws `invalid` where it can't be opened. */
export function openGiven(
  run: { id: string; secrets: string | null; parameters: Readonly<Parameters> | null } & Pick<
    RunGiven,
    'request'
  >,
  opener: Opener,
): RunGiven {
  const { id, secrets, parameters, request } = run;
  if (secrets === null) return { parameters: { ...parameters }, request };
  try {
    const values = valuesSchema.parse(JSON.parse(opener.open(secrets, purposeOf(id))));
    const { [REQUEST]: sealedRequest, ...own } = values;
    return {
      parameters: { ...parameters, ...own },
      request: sealedRequest === undefined ? request : jsonObject.parse(JSON.parse(sealedRequest)),
    };
  } catch (error) {
    throw new AppError(
      'invalid',
      "the run's passwords can't be opened: identity.key in DATA_DIR is not the one they were sealed with; start the run again",
      { cause: error },
    );
  }
}
