import type { SubmitRequest } from '../wire/api.ts';
import { refusedOption } from './option-word.ts';

type RetryOn = NonNullable<SubmitRequest['retry_on']>;

const verdicts = ['failed', 'timed-out', 'lost'] as const;
const hint = 'Write for example --retry-on 75, or --retry-on failed,timed-out.';

/** `--retry-on 75,timed-out`: exit codes, and words for other endings. */
export function retryOnOf(value: string): RetryOn {
  const codes = new Set<number>();
  const named = new Set<(typeof verdicts)[number]>();
  for (const word of value.split(',')) {
    const verdict = verdicts.find((one) => one === word);
    const code = Number(word);
    if (verdict !== undefined) named.add(verdict);
    // 0 is a success, which nothing follows.
    else if (/^\d{1,3}$/.test(word) && code >= 1 && code <= 255) codes.add(code);
    else
      throw refusedOption(
        '--retry-on',
        word,
        `it is neither an exit code from 1 to 255 nor one of ${verdicts.join(', ')}`,
        hint,
      );
  }
  return { codes: [...codes], verdicts: [...named] };
}
