import type { FoundKeeper } from './find-keeper.ts';
import type { Keepers } from './keepers.ts';
import { nativeKeepers, type NativeOptions } from './native-keepers.ts';
import { shKeepers } from './sh-keepers.ts';

/** The keepers of the kind that was found (`findKeeper`). */
export function openKeepers(found: FoundKeeper, options: Omit<NativeOptions, 'binary' | 'script'>): Keepers {
  return found.kind === 'native'
    ? nativeKeepers({ ...options, binary: found.binary, script: found.script })
    : shKeepers({ script: found.script, env: options.env, why: found.why, onReport: options.onReport });
}
