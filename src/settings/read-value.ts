import { formatObjectAddress, isAddress, parseObjectAddress } from '../units/object-address.ts';
import { splitWords } from '../units/split-words.ts';
import { table, type Setting, type SettingName } from './table.ts';

/** A value that can be used, or why not and what could be. */
export type ValueRead =
  { readonly value: string | number; readonly why: null } | { readonly value: null; readonly why: string };

const wrong = (why: string): ValueRead => ({ value: null, why });

/** Reads a word of the environment. */
export function readWord(name: SettingName, word: string): ValueRead {
  const setting: Setting = table[name];
  const text = word.trim();
  if (setting.type === 'string' || setting.type === 'path') return readText(setting, text);
  // Number() also takes '', '0x10' and 'Infinity', which nobody means here.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return wrong('it is not a number');
  return readNumber(setting, Number(text));
}

/** Reads a value of a `config.toml`; numbers are written without quotes there. */
export function readTomlValue(name: SettingName, value: unknown): ValueRead {
  const setting: Setting = table[name];
  if (setting.type === 'string' || setting.type === 'path') {
    if (typeof value === 'string') return readText(setting, value);
    // A number is one of the shapes that some texts may have.
    const isNumber = setting.type === 'string' && setting.shape !== undefined && typeof value === 'number';
    return isNumber ? readText(setting, String(value)) : wrong('it is not a text in quotes');
  }
  return typeof value === 'number' ? readNumber(setting, value) : wrong('it is not a number without quotes');
}

type NumberSetting = Extract<Setting, { min: number }>;

function readNumber(setting: NumberSetting, value: number): ValueRead {
  const whole = setting.type === 'int' || setting.type === 'size-mb';
  if (!Number.isFinite(value)) return wrong('it is not a finite number');
  if (whole && !Number.isInteger(value)) return wrong('it is not a whole number');
  if (value < setting.min) return wrong(`it is below ${setting.min}`);
  if (value > setting.max) return wrong(`it is above ${setting.max}`);
  return { value, why: null };
}

function readText(setting: Exclude<Setting, NumberSetting>, text: string): ValueRead {
  if (text.includes('\0')) return wrong('it holds a zero byte');
  if (setting.type === 'path') return readPath(text, setting.orAddress === true);
  if (setting.oneOf !== undefined && !setting.oneOf.includes(text)) return wrong('it is none of the words known');
  if (setting.prefixes !== undefined && text !== '' && !setting.prefixes.some((start) => text.startsWith(start))) {
    return wrong('it begins otherwise');
  }
  if (setting.shape !== undefined && !setting.shape.pattern.test(text)) return wrong('it is none of what is known');
  if (setting.words === true && splitWords(text) === null) return wrong('a quote in it is not closed');
  return { value: text, why: null };
}

function readPath(text: string, orAddress: boolean): ValueRead {
  if (text.startsWith('/')) return { value: text, why: null };
  if (!isAddress(text)) return wrong('it is not absolute');
  if (!orAddress) return wrong('it is an address and no folder of this machine, which it has to be');
  const { address, why } = parseObjectAddress(text);
  return address === null ? wrong(why) : { value: formatObjectAddress(address), why: null };
}

/** What a setting may be, as the end of a sentence. */
export function allowed(name: SettingName): string {
  const setting: Setting = table[name];
  if (setting.type === 'path')
    return setting.orAddress === true ? 'an absolute path, or s3://BUCKET/PREFIX' : 'an absolute path';
  if (setting.type === 'string') {
    if (setting.shape !== undefined) return setting.shape.words;
    if (setting.oneOf !== undefined) return `one of ${setting.oneOf.join(', ')}`;
    if (setting.words === true) return 'empty, or a command line whose quotes are closed';
    return setting.prefixes === undefined
      ? 'a text'
      : `empty, or a URL that begins with ${setting.prefixes.join(' or ')}`;
  }
  const kind = setting.type === 'int' || setting.type === 'size-mb' ? 'a whole number' : 'a number';
  const unit = setting.unit === null ? '' : ` (${setting.unit})`;
  return `${kind}${unit} from ${setting.min} to ${setting.max}`;
}
