/** How a client that found systemd started the daemon: as a service, or why not. */
export type ServiceWord =
  | { readonly kind: 'service' }
  | { readonly kind: 'no-linger' }
  | { readonly kind: 'no-manager'; readonly uid: number }
  | { readonly kind: 'no-systemd-run' }
  | { readonly kind: 'refused'; readonly why: string };

/** The variable that carries it to the daemon, and from one daemon to its successor in the same cgroup. */
export const serviceVariable = 'ORCA_SERVICE';

export const formatServiceWord = (word: ServiceWord): string => {
  if (word.kind === 'no-manager') return `no-manager ${word.uid}`;
  if (word.kind === 'refused') return `refused ${word.why}`;
  return word.kind;
};

/** Null for a daemon that no client of this version started, or that was started where no systemd is. */
export const parseServiceWord = (text: string | undefined): ServiceWord | null => {
  const [, kind, rest = ''] = /^(\S+)(?: ([^]*))?$/.exec(text ?? '') ?? [];
  switch (kind) {
    case 'service':
    case 'no-linger':
    case 'no-systemd-run':
      return { kind };
    case 'no-manager':
      return { kind, uid: Number(rest) };
    case 'refused':
      return { kind, why: rest };
    default:
      return null;
  }
};
