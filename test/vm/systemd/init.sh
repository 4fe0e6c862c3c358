#!/bin/sh
# The guest's first process: finds the disk with Debian on it, puts the program and its tests there, and leaves the machine to systemd.
export PATH=/usr/bin:/bin
/bin/busybox --install -s /bin
mkdir -p /proc /dev /new
mount -t proc proc /proc
mount -t devtmpfs devtmpfs /dev
exec </dev/null >/dev/console 2>&1
dmesg -n 1
for module in /lib/modules/*; do insmod "$module"; done
mount -t ext4 /dev/vda /new || poweroff -f
mount -t tmpfs -o mode=755 tmpfs /new/run
mount -t tmpfs -o mode=755 tmpfs /new/orca
cp -a /orca/. /new/orca
# Every user may keep compiled code there: nobody else is in this machine, and a start of Node is slow enough.
mkdir -p /new/orca/dist/current/cache
chmod 777 /new/orca/dist/current/cache
printf '#!/bin/sh\nexec node /orca/dist/current/main.js "$@"\n' >/new/usr/local/bin/orca
chmod 755 /new/usr/local/bin/orca
mkdir -p /new/run/systemd/system
cp /orca/test/vm/systemd/*.target /orca/test/vm/systemd/*.service /new/run/systemd/system
umount /proc
mount --move /dev /new/dev
exec switch_root /new /sbin/init
