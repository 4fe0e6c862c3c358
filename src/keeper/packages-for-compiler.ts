const packages: readonly (readonly [RegExp, string])[] = [
  [/\b(debian|ubuntu)\b/, 'gcc and libc6-dev'],
  [/\b(fedora|rhel|centos|suse|opensuse|amzn)\b/, 'gcc and glibc-devel'],
  [/\balpine\b/, 'gcc, musl-dev and linux-headers'],
  [/\barch\b/, 'gcc'],
];

/** The packages with which this Linux compiles C, from the text of its `/etc/os-release` (os-release(5)). */
export function packagesForCompiler(osRelease: string): string {
  const ids = osRelease
    .split('\n')
    .filter((line) => /^ID(_LIKE)?=/.test(line))
    .join(' ');
  return packages.find(([id]) => id.test(ids))?.[1] ?? 'a C compiler with the headers of its C library';
}
