import { neverFits } from '../admission/never-fits.ts';
import { neverWords } from '../admission/reason-words.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { noNeeds } from '../runs/needs.ts';
import { bytes } from '../units/brands.ts';
import { formatSize } from '../units/format-size.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { admissionState } from './admission-state.ts';
import { needsOf } from './asked.ts';
import { lowered, placementCap } from './control.ts';
import { namedNeeds } from './enqueue.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/** Refuses what could never start here, and what makes no sense. */
export const checkRequest = (scheduler: Scheduler, request: SubmitRequest, parent: LiveStart | null): void => {
  if (request.keys !== undefined && request.keys.length !== request.commands.length)
    throw new OrcaError('request-invalid', { why: 'keys: there is not one for each command' });
  const cpusMilli = Math.round(request.cpus * 1000);
  if (cpusMilli < 1) throw new OrcaError('request-invalid', { why: 'cpus: less than a thousandth of a core' });
  const placed = { placement: request.placement ?? null, parent_run: parent?.run ?? null };
  const memory =
    request.memory === null ? null : lowered(bytes(request.memory.min_bytes), placementCap(scheduler, placed));
  const needs = needsOf(request) ?? noNeeds;
  const named = namedNeeds(scheduler, { ...placed, needs, group_id: null });
  const never = neverFits({ cpusMilli, memory, gpus: needs.gpus, needs: named }, admissionState(scheduler));
  switch (never?.kind) {
    case undefined:
      return;
    case 'cpus':
      throw new OrcaError('cpus-too-many', { asked: request.cpus, most: never.most / 1000 });
    case 'memory':
      throw new OrcaError('memory-too-much', { asked: formatSize(never.asked), most: formatSize(never.most) });
    case 'gpus':
      throw new OrcaError('needs-too-much', {
        why: neverWords(never),
        advice: '`orca doctor` shows which GPUs are seen, and why no more; ORCA_GPUS says which runs may have.',
      });
    case 'resource':
      throw new OrcaError('needs-too-much', {
        why: neverWords(never),
        advice: '`orca status` shows the resources that are counted; `[resources]` in config.toml counts others.',
      });
  }
};
