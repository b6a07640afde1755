/** Parameters that are typed as passwords: the run that everybody reads has stars in their places, its state has them sealed. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { secretNames, STARS } from '../../../src/domain/playbook/secret-parameters.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';

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

export interface HiddenParameters {
  /** As everybody reads them. */
  parameters: Parameters;
  /** Sealed; null where none is secret. */
  secrets: string | null;
}

/** The passwords of a run, to be kept beside it. */
export function sealValues(
  runId: string,
  values: Readonly<Parameters>,
  sealer: Pick<Sealer, 'seal'>,
): string {
  return sealer.seal(JSON.stringify(values), purposeOf(runId));
}

/** What is stored of a run's parameters. */
export function hideSecrets(
  run: { id: string; spec: PlaybookSpec; parameters: Readonly<Parameters> },
  sealer: Pick<Sealer, 'seal'>,
): HiddenParameters {
  const values = secretValues(run.spec, run.parameters);
  const names = Object.keys(values);
  if (names.length === 0) return { parameters: { ...run.parameters }, secrets: null };
  const stars = Object.fromEntries(names.map((name) => [name, STARS]));
  return {
    parameters: { ...run.parameters, ...stars },
    secrets: sealValues(run.id, values, sealer),
  };
}

/** The parameters with which the run was started. Throws `invalid` where they can't be opened. */
export function openParameters(
  run: { id: string; parameters: Readonly<Parameters> | null; secrets: string | null },
  opener: Opener,
): Parameters {
  if (run.secrets === null) return { ...run.parameters };
  try {
    const values: unknown = JSON.parse(opener.open(run.secrets, purposeOf(run.id)));
    return { ...run.parameters, ...valuesSchema.parse(values) };
  } catch (error) {
    throw new AppError(
      'invalid',
      "the run's passwords can't be opened: identity.key in DATA_DIR is not the one they were sealed with; start the run again",
      { cause: error },
    );
  }
}
