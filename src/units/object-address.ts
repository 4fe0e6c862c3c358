/** A place in an object storage. */
export interface ObjectAddress {
  readonly bucket: string;
  /** What the keys of its objects begin with, without slashes at its ends; empty: nothing. */
  readonly prefix: string;
}

export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** An address, or why a text is none. */
export type AddressRead =
  { readonly address: ObjectAddress; readonly why: null } | { readonly address: null; readonly why: string };

const wrong = (why: string): AddressRead => ({ address: null, why });

/** Leaves room for the names below it: a key has at most 1024 bytes. */
const longestPrefix = 512;

/** `s3://BUCKET/PREFIX`. Of a prefix only what every storage and shell takes as it is. */
export const parseObjectAddress = (text: string): AddressRead => {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(text) ?? [];
  if (!/^s3:\/\//i.test(text)) return wrong('it is an address of something else than s3://');
  if (bucket === '') return wrong('it names no bucket');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || bucket.includes('..'))
    return wrong('its bucket is no name of a bucket: 3 to 63 of a-z, 0-9, dots and hyphens');
  const prefix = rest.replace(/\/$/, '');
  if (prefix.length > longestPrefix) return wrong(`its prefix is longer than ${longestPrefix} characters`);
  for (const part of prefix === '' ? [] : prefix.split('/')) {
    if (part === '') return wrong('its prefix has a part without a name: two slashes follow one another');
    if (part === '.' || part === '..') return wrong(`its prefix holds ${part}, which is no folder there`);
    if (!/^[\w!'()*+,.:=@-]+$/.test(part))
      return wrong("its prefix holds other characters than letters, digits and _ ! ' ( ) * + , . : = @ -");
  }
  return { address: { bucket, prefix }, why: null };
};

export const formatObjectAddress = ({ bucket, prefix }: ObjectAddress): string =>
  `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;

/** What an object's key or a further prefix becomes below an address. */
export const keyBelow = ({ prefix }: ObjectAddress, name: string): string =>
  prefix === '' ? name : `${prefix}/${name}`;
