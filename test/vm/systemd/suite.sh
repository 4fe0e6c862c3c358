#!/bin/sh
# Runs the job once, as a service of the guest's systemd, tells its status and switches the machine off.
exec </dev/null >/dev/console 2>&1
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
set --
while IFS= read -r argument; do set -- "$@" "$argument"; done </orca/test/vm/arguments
export HOME=/root TMPDIR=/tmp LANG=C.UTF-8 NO_COLOR=1
cd /tmp
echo "orca-vm: begin $(cut -d ' ' -f 1 /proc/uptime)"
node "$@"
echo "orca-vm: end $?"
systemctl poweroff --force --force
