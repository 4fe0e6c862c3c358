/** What macOS's own commands print: written after their known form (macOS 14, arm64), not taken from a machine. */
export const vmStat = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               14021.
Pages active:                            301442.
Pages inactive:                          299811.
Pages speculative:                         2302.
Pages throttled:                              0.
Pages wired down:                        131887.
Pages purgeable:                          20114.
"Translation faults":                 912334122.
Pages copy-on-write:                   41233212.
Pages zero filled:                    501223111.
Pages reactivated:                     22331234.
Pages purged:                           3312345.
File-backed pages:                       201442.
Anonymous pages:                         402113.
Pages stored in compressor:              250112.
Pages occupied by compressor:             95021.
Decompressions:                        10122334.
Compressions:                          14122334.
Pageins:                                9122334.
Pageouts:                                 91223.
Swapins:                                1122334.
Swapouts:                               1222334.
`;

export const swapUsage = 'total = 2048.00M  used = 1036.25M  free = 1011.75M  (encrypted)\n';

export const netstat = `Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll
lo0        16384 <Link#1>                         51232     0   12346712    51232     0   12346712     0
lo0        16384 127           127.0.0.1          51232     -   12346712    51232     -   12346712     -
gif0*      1280  <Link#2>                             0     0          0        0     0          0     0
en0        1500  <Link#11>   02:00:00:00:00:01  1912231     0 1834467215   801223     0  226411992     0
en0        1500  192.168.1     192.168.1.20     1912231     - 1834467215   801223     -  226411992     -
utun0      1380  <Link#16>                            0     0          0       14     0       1420     0
`;

export const ps = `    1     0  12288 Ss   Sun Nov 29 08:00:00 2026
  501     1  20480 S    Mon Nov 30 10:00:01 2026
  502   501   4096 R+   Mon Nov 30 10:00:02 2026
  503   502   1024 S    Mon Nov 30 10:00:03 2026
  640   501      0 Z    Mon Nov 30 10:00:04 2026
  777     1   9999 S    Mon Nov 30 10:00:05 2026
`;
