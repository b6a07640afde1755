/**
 * Whatever becomes of the health of subjects, and whoever closes what meanwhile: a rule never has two incidents open
 * for one subject, and in the end each is as a model of a few lines says. Seeded: a failing seed fails again.
 */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createPrng } from '../../app/seed/seed-prng.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { IncidentSetting } from '../testing/incident-setting-query.ts';

const STEPS = 25;
const HEALTHS = ['healthy', 'unhealthy', 'warning'] as const;

/** What a rule without waiting times does with one subject. */
class Model {
  statuses: string[] = [];
  private health = 'healthy';
  /** A person closed the incident of this spell. */
  private isMuted = false;

  becomes(health: string): void {
    if (health !== 'unhealthy') this.isMuted = false;
    const last = this.statuses.at(-1);
    if (last === undefined || last === 'closed') {
      if (health === 'unhealthy' && !this.isMuted) this.statuses.push('open');
      // A warning opens nothing, but "healthy again" is no longer done.
    } else this.statuses[this.statuses.length - 1] = health === 'healthy' ? 'resolved' : 'open';
    this.health = health;
  }

  closed(): void {
    if (this.statuses.length === 0 || this.statuses.at(-1) === 'closed') return;
    this.statuses[this.statuses.length - 1] = 'closed';
    this.isMuted = this.health === 'unhealthy';
  }
}

forEachDatabase((_kind, open) => {
  let on: IncidentSetting;

  beforeAll(async () => {
    on = new IncidentSetting(await open());
  });
  afterEach(() => on.clear());

  const ofSubject = (componentId: string) =>
    on.db.rows(
      z.custom<{ id: string; status: string }>(),
      `select i.id, i.status from incidents i join hypotheses h on h.incident_id = i.id
         join evidences e on e.hypothesis_id = h.id where e.component_id = $1 order by i.created_at, i.id`,
      [componentId],
    );

  test.each([1, 7, 42])(
    'seed %i',
    async (seed) => {
      const dice = createPrng(seed);
      await on.rule('services', { components: [{ types: ['*'] }] });
      const subjects = [
        { id: await on.component('shop'), model: new Model() },
        { id: await on.component('cart'), model: new Model() },
      ] as const;
      for (let step = 0; step < STEPS; step += 1) {
        const { id, model } = dice.pick(subjects);
        if (dice.below(6) === 0) {
          const last = (await ofSubject(id)).at(-1);
          if (last !== undefined) await on.statusIs(last.id, 'closed');
          model.closed();
        } else {
          const health = dice.pick(HEALTHS);
          await on.componentIs(id, health);
          model.becomes(health);
        }
        await on.settle();
        for (const subject of subjects) {
          const statuses = (await ofSubject(subject.id)).map(({ status }) => status);
          expect(statuses.filter((status) => status !== 'closed').length).toBeLessThanOrEqual(1);
          expect(statuses, `step ${step}`).toEqual(subject.model.statuses);
        }
      }
    },
    120_000,
  );
});
