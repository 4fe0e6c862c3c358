/** A value without the password of a URL in it, for whatever is shown or logged. */
export function hiddenPassword<Value extends string | number>(value: Value): Value | string {
  if (typeof value !== 'string') return value;
  return value.replace(/^([a-z]+:\/\/[^:/@]*):.*@/i, '$1:***@').replace(/([?&]password=)[^&]*/gi, '$1***');
}
