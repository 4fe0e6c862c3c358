#!/bin/sh
# The guest's first process: mounts what a machine has, runs Node once as it was told, tells its status and switches the machine off.
export PATH=/usr/bin:/bin
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /tmp /run /root /home/guest /disk
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
exec </dev/null >/dev/console 2>&1
# The kernel's words on each kill would stand between the results; /dev/kmsg has them all the same.
dmesg -n 1
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
chown 1000:1000 /home/guest
chmod 755 /
ln -s /usr/bin/bash /bin/bash
ip link set lo up 2>/dev/null
hostname orca-vm

# A disk, since only pages that can be written back to one can be reclaimed.
for module in /lib/modules/*; do insmod "$module"; done
disk=$({ mke2fs /dev/vda && mount -t ext4 /dev/vda /disk; } 2>&1) || trouble="The disk could not be made: $disk"

set --
while IFS= read -r argument; do set -- "$@" "$argument"; done </orca/test/vm/arguments
export HOME=/root TMPDIR=/tmp LANG=C.UTF-8 NO_COLOR=1
export ORCA_TEST_CGROUP=/sys/fs/cgroup ORCA_TEST_EAT=/orca/test/vm/eat ORCA_TEST_KEEP=/orca/native/build/orca-keep ORCA_TEST_DISK=/disk
cd /tmp
. /orca/test/vm/environment
echo "orca-vm: begin $(cut -d ' ' -f 1 /proc/uptime)"
[ -z "${trouble-}" ] || echo "$trouble"
node "$@"
echo "orca-vm: end $?"
poweroff -f
