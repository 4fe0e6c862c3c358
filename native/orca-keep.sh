#!/bin/sh
# The keeper for machines without the native one. See docs/keeper-protocol.md, "The sh keeper".
#
# It runs with the run's own environment, so its variables carry a prefix that no run uses, and PATH is put back for the
# command. Whatever it finds is signalled only after its start time was read again; there are no pidfds in sh.

okeep_had_path=${PATH+yes}
okeep_path=${PATH-}
PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
okeep_died='"code":null,"signal":null,"failed":null,"max_rss_bytes":null,"user_us":null,"system_us":null'

# ---- clocks ----

okeep_wall_ms() {
    okeep_now=$(date +%s%3N)
    case $okeep_now in
    *[!0-9]*) okeep_now=$(date +%s)000 ;; # a date without %N
    esac
    echo "$okeep_now"
}

# Milliseconds that never jump, in steps of 10.
okeep_clock_ms() {
    if read -r okeep_up okeep_rest 2>/dev/null </proc/uptime; then
        okeep_up=${okeep_up%.*}${okeep_up#*.}
        while [ "${okeep_up#0?}" != "$okeep_up" ]; do okeep_up=${okeep_up#0}; done
        echo "${okeep_up}0"
    else
        okeep_wall_ms
    fi
}

okeep_sleep_ms() {
    sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))" 2>/dev/null || sleep $((($1 + 999) / 1000))
}

okeep_boot() {
    cat /proc/sys/kernel/random/boot_id 2>/dev/null || sysctl -n kern.bootsessionuuid 2>/dev/null || echo unknown
}

# ---- processes ----

# Sets okeep_state, okeep_parent, okeep_group and okeep_begin; false when there is no such process.
okeep_stat() {
    okeep_line=
    {
        while IFS= read -r okeep_part; do okeep_line="$okeep_line $okeep_part"; done <"/proc/$1/stat"
    } 2>/dev/null
    [ -n "$okeep_line" ] || return 1
    # The name may hold anything, parentheses too: what follows the last one is numbers.
    # shellcheck disable=SC2086
    set -- ${okeep_line##*) }
    okeep_state=$1 okeep_parent=$2 okeep_group=$3 okeep_begin=${20}
}

# The start time, 0 where there is no /proc.
okeep_begin_of() {
    if okeep_stat "$1"; then echo "$okeep_begin"; else echo 0; fi
}

# Whether PID still is the process that began at BEGIN, and no zombie.
okeep_alive() {
    if [ -d /proc/self ]; then
        okeep_stat "$1" && [ "$okeep_begin" = "$2" ] && [ "$okeep_state" != Z ] && [ "$okeep_state" != X ]
    else
        kill -0 "$1" 2>/dev/null
    fi
}

# okeep_signal NAME PID BEGIN
okeep_signal() {
    okeep_alive "$2" "$3" && kill -s "$1" "$2" 2>/dev/null
}

# Pids whose environment holds ORCA_START=$1.
okeep_marked() {
    if printf 'a\0b' | grep -qF b 2>/dev/null; then
        grep -lF "ORCA_START=$1" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\n'
    else # a grep that stops at a NUL
        for okeep_dir in /proc/[0-9]*; do
            if tr '\0' '\n' 2>/dev/null <"$okeep_dir/environ" | grep -qxF "ORCA_START=$1"; then echo "${okeep_dir#/proc/}"; fi
        done 2>/dev/null
    fi
}

# Prints PID:BEGIN of every living process of the tree: those with ORCA_START, the leader, its session, and their
# descendants; never the keeper, its helpers, or this program itself.
# okeep_tree UUID LEADER LEADER_BEGIN KEEPER SESSION(yes: the leader's number cannot be another's yet)
okeep_tree() {
    if [ ! -d /proc/self ]; then
        if kill -0 "-$2" 2>/dev/null; then echo "-$2:0"; elif [ "$5" = no ] && kill -0 "$2" 2>/dev/null; then echo "$2:0"; fi
        return
    fi
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v marked="$(okeep_marked "$1" | tr '\n' ' ')" -v leader="$2" -v leader_begin="$3" \
        -v keeper="$4" -v session="$5" -v self="$$" '
        { held = held " " $0 }
        held ~ /\) [A-Za-z] [0-9]+ / {
            pid = held; sub(/^ */, "", pid); sub(/ .*/, "", pid)
            sub(/^.*\) /, "", held); split(held, f, " "); held = ""
            state[pid] = f[1]; parent[pid] = f[2]; begin[pid] = f[20]
            if (session == "yes" && f[4] == leader) chosen[pid] = 1
        }
        END {
            n = split(marked, roots, " ")
            for (i = 1; i <= n; i++) chosen[roots[i]] = 1
            if (leader in begin && begin[leader] == leader_begin) chosen[leader] = 1
            spared[keeper] = 1; spared[self] = 1
            for (changed = 1; changed;) {
                changed = 0
                for (pid in parent) {
                    up = parent[pid]
                    if (!(pid in spared) && (up in spared) && pid != leader) { spared[pid] = 1; changed = 1 }
                    if (!(pid in chosen) && (up in chosen)) { chosen[pid] = 1; changed = 1 }
                }
            }
            for (pid in chosen)
                if ((pid in begin) && !(pid in spared) && state[pid] !~ /[ZX]/) print pid ":" begin[pid]
        }'
}

# One SIGKILL to all of the tree; false when there was none left.
okeep_kill_pass() {
    okeep_found=$(okeep_tree "$@")
    for okeep_one in $okeep_found; do
        case $okeep_one in
        -*) kill -s KILL -- "${okeep_one%:*}" 2>/dev/null ;;
        *) okeep_signal KILL "${okeep_one%:*}" "${okeep_one#*:}" ;;
        esac
    done
    [ -n "$okeep_found" ]
}

# SIGTERM (then SIGCONT) to the leader's process group; to the leader alone while it has none of its own.
okeep_terminate() {
    okeep_alive "$1" "$2" || return 0
    okeep_to=$1
    if [ -d /proc/self ]; then
        if [ "$okeep_group" = "$1" ]; then okeep_to=-$1; fi
    elif kill -0 "-$1" 2>/dev/null; then
        okeep_to=-$1
    fi
    kill -s TERM -- "$okeep_to" 2>/dev/null
    kill -s CONT -- "$okeep_to" 2>/dev/null
}

# ---- records ----

okeep_json() { # one line of text as a JSON string
    printf '"%s"' "$(printf %s "$1" | tr -d '\000-\037\177' | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

okeep_json_file() { # what the file holds, as a JSON string; of /proc/vmstat the oom_kill line
    okeep_only=
    if [ "$1" = /proc/vmstat ]; then okeep_only='^oom_kill '; fi
    if [ -r "$1" ] && okeep_text=$(grep -e "$okeep_only" "$1" 2>/dev/null); then
        printf '"%s"' "$(printf '%s\n' "$okeep_text" | sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' | tr -d '\n')"
    else
        printf null
    fi
}

# okeep_mark FOLDER MARK TEXT: before the signal; a mark is kept once.
okeep_mark() {
    if [ "$2" = none ] || grep -qF "{\"mark\":\"$2\"" "$1/marks" 2>/dev/null; then return 0; fi
    okeep_line=$(printf '{"mark":"%s","at_ms":%s,"oom_kill":null,"text":%s}' "$2" "$(okeep_wall_ms)" "$(okeep_json "$3")")
    if printf '%s\n' "$okeep_line" 2>/dev/null >>"$1/marks"; then return 0; fi
    rm -f "$1/marks.room" # the disk is full: in the place of what was kept free
    printf '%s\n' "$okeep_line" 2>/dev/null >>"$1/marks"
}

okeep_marks() { grep -e '^{"mark":.*}$' "$1/marks" 2>/dev/null | paste -s -d , -; }

# Sets what the pid record says; false when there is none, or it is of another boot.
okeep_read_pids() {
    okeep_record=$(cat "$1/pid" 2>/dev/null) || return 1
    okeep_rest=${okeep_record#*\"keeper\":\{\"pid\":} okeep_keeper=${okeep_rest%%,*}
    okeep_rest=${okeep_rest#*\"start\":} okeep_keeper_begin=${okeep_rest%%\}*}
    okeep_rest=${okeep_rest#*\"command\":\{\"pid\":} okeep_leader=${okeep_rest%%,*}
    okeep_rest=${okeep_rest#*\"start\":} okeep_leader_begin=${okeep_rest%%\}*}
    case $okeep_record in *"\"boot\":\"$(okeep_boot)\""*) ;; *) return 1 ;; esac
    for okeep_one in "$okeep_keeper" "$okeep_keeper_begin" "$okeep_leader" "$okeep_leader_begin"; do
        case $okeep_one in '' | *[!0-9]*) return 1 ;; esac
    done
}

# Room for a record, in blanks, which JSON may have after its end. Written over in place (`<>` cuts nothing off), it needs
# no new block, whatever becomes of the disk.
okeep_take_room() { # NAME SIZE: true, 11 when there can be no such file, 12 when there is no room for it
    true 2>/dev/null >"$okeep_folder/$1" || return 11
    printf "%$2s" '' 2>/dev/null >"$okeep_folder/$1" || return 12
}

# ---- start ----

okeep_write_exit() { # HOW CODE FAILED
    okeep_shared=null
    if [ -n "$okeep_counter" ]; then
        okeep_shared="{\"file\":$(okeep_json "$okeep_counter"),\"before\":$okeep_before,\"after\":$(okeep_json_file "$okeep_counter")}"
    fi
    okeep_record="{\"protocol\":1,\"keeper\":\"sh\",\"how\":\"$1\",\"code\":$2,\"signal\":null,\"failed\":$3,\"max_rss_bytes\":null,\"user_us\":null,\"system_us\":null,\"boot\":\"$(okeep_boot)\",\"started_ms\":$okeep_started,\"ended_ms\":$(okeep_wall_ms),\"elapsed_us\":$((($(okeep_clock_ms) - okeep_began) * 1000)),\"marks\":[$(okeep_marks "$okeep_folder")],\"cgroup\":null,\"shared\":$okeep_shared}"
    # Where its room was not enough the disk may have some later; a folder that is gone never comes back.
    until printf '%s\n' "$okeep_record" 2>/dev/null 1<>"$okeep_folder/exit.tmp" && mv -f "$okeep_folder/exit.tmp" "$okeep_folder/exit"; do
        [ -d "$okeep_folder" ] || break
        sleep 1
    done
}

okeep_not_started() { # STAGE ERRNO MESSAGE
    okeep_write_exit not-started null "{\"stage\":\"$1\",\"errno\":$2,\"message\":\"$3\"}"
    rm -f "$okeep_folder/ctl" "$okeep_folder/marks.room"
    exit 0
}

okeep_check_file() { # STAGE PATH: why the file that could not be opened cannot be
    if [ -d "$2" ]; then okeep_not_started "$1" 21 'Is a directory'; fi
    if [ -e "$2" ] || [ -d "${2%/*}/" ] && [ "$1" != stdin ]; then okeep_not_started "$1" 13 'Permission denied'; fi
    okeep_not_started "$1" 2 'No such file or directory'
}

# Looks for the program as exec would, with the run's PATH.
okeep_check_program() {
    okeep_seen=
    case $1 in
    */*) okeep_seen=$1 ;;
    *)
        okeep_dirs=${okeep_path:-/usr/bin:/bin}:
        while [ -n "$okeep_dirs" ]; do
            okeep_dir=${okeep_dirs%%:*} okeep_dirs=${okeep_dirs#*:}
            if [ -f "${okeep_dir:-.}/$1" ]; then
                okeep_seen=${okeep_dir:-.}/$1
                if [ -x "$okeep_seen" ]; then break; fi
            fi
        done
        ;;
    esac
    if [ -z "$1" ] || [ -z "$okeep_seen" ] || [ ! -e "$okeep_seen" ]; then okeep_not_started exec 2 'No such file or directory'; fi
    if [ -d "$okeep_seen" ] || [ ! -x "$okeep_seen" ]; then okeep_not_started exec 13 'Permission denied'; fi
}

# Becomes the command. Runs in a child of the keeper.
okeep_become() {
    trap - HUP INT QUIT
    if [ -n "$okeep_oom" ]; then echo "$okeep_oom" 2>/dev/null >/proc/self/oom_score_adj; fi
    if [ -n "$okeep_umask" ]; then umask "$okeep_umask"; fi
    # A background child of sh has INT and QUIT ignored; only a newer env can undo that.
    if [ -n "$okeep_nice" ] && command -v nice >/dev/null; then set -- "$(command -v nice)" -n "$okeep_nice" "$@"; fi
    if env --default-signal=INT,QUIT true 2>/dev/null; then set -- "$(command -v env)" --default-signal=INT,QUIT,HUP -- "$@"; fi
    if [ -n "$okeep_setsid" ]; then set -- "$okeep_setsid" "$@"; fi
    if [ -n "$okeep_had_path" ]; then PATH=$okeep_path; else unset PATH; fi
    exec "$@"
}

# Until the leader has ended or the moment has come; then the tree is killed until the leader is gone.
okeep_enforce() { # FOLDER AT UUID LEADER BEGIN KEEPER
    while okeep_alive "$4" "$5" && [ "$(okeep_clock_ms)" -lt "$2" ]; do okeep_sleep_ms 100; done
    while okeep_alive "$4" "$5" && okeep_kill_pass "$3" "$4" "$5" "$6" no; do okeep_sleep_ms 50; done
}

# The earlier of two moments counts.
okeep_set_kill_at() { # FOLDER AT
    read -r okeep_old 2>/dev/null <"$1/kill-at" || okeep_old=$2
    if [ "$okeep_old" -lt "$2" ]; then return 0; fi
    echo "$2" >"$1/kill-at.tmp" && mv -f "$1/kill-at.tmp" "$1/kill-at"
}

okeep_timer() {
    trap 'kill "$okeep_sleeping" 2>/dev/null; exit 0' TERM
    okeep_sleep_seconds="$((okeep_timeout / 1000)).$(printf %03d $((okeep_timeout % 1000)))"
    sleep "$okeep_sleep_seconds" &
    okeep_sleeping=$!
    wait "$okeep_sleeping"
    trap - TERM
    okeep_alive "$okeep_leader" "$okeep_leader_begin" || return
    okeep_mark "$okeep_folder" timer "the time limit of $okeep_timeout ms had passed"
    okeep_at=$(($(okeep_clock_ms) + okeep_grace))
    okeep_set_kill_at "$okeep_folder" "$okeep_at"
    okeep_terminate "$okeep_leader" "$okeep_leader_begin"
    okeep_enforce "$okeep_folder" "$okeep_at" "$okeep_uuid" "$okeep_leader" "$okeep_leader_begin" "$$"
}

okeep_start() {
    okeep_folder=$1 okeep_in=$2 okeep_out=$3 okeep_err=$4 okeep_timeout=${5:-0} okeep_grace=${6:-10000}
    okeep_nice=${7#-} okeep_umask=${8#-} okeep_oom=${9} okeep_counter=${10#-}
    case $7 in -[0-9]*) okeep_nice=$7 ;; esac
    if [ "$okeep_oom" = - ]; then okeep_oom=; fi
    [ "${12-}" = -- ] || okeep_usage
    shift 12
    [ $# -gt 0 ] || okeep_usage
    okeep_uuid=${ORCA_START-}
    [ -n "$okeep_uuid" ] || okeep_usage
    trap '' HUP INT QUIT
    okeep_inherited=$(umask)
    umask 077
    okeep_umask=${okeep_umask:-$okeep_inherited}
    if [ -e "$okeep_folder/begun" ]; then exit 10; fi
    okeep_take_room pid.tmp 1024 && okeep_take_room marks.room 4096 && okeep_take_room exit.tmp 16384
    okeep_status=$?
    if [ "$okeep_status" -ne 0 ]; then
        rm -f "$okeep_folder/pid.tmp" "$okeep_folder/marks.room" "$okeep_folder/exit.tmp"
        echo "orca-keep.sh: there is no room for records in $okeep_folder" >&2
        exit "$okeep_status"
    fi
    if ! (set -C && : >"$okeep_folder/begun") 2>/dev/null; then
        if [ -e "$okeep_folder/begun" ]; then exit 10; fi
        echo "orca-keep.sh: $okeep_folder/begun could not be made" >&2
        exit 11
    fi
    echo begun 2>/dev/null >>"$okeep_folder/begun" # the name is the claim: on a full disk it stays empty and counts all the same
    # No socket: whoever finds a plain file here asks through this script. Its going tells of this keeper's end.
    : >"$okeep_folder/ctl"
    okeep_started=$(okeep_wall_ms) okeep_began=$(okeep_clock_ms) okeep_before=null
    if [ -n "$okeep_counter" ]; then okeep_before=$(okeep_json_file "$okeep_counter"); fi
    if [ -d "$okeep_in" ] || [ ! -r "$okeep_in" ]; then okeep_check_file stdin "$okeep_in"; fi
    (: >>"$okeep_out") 2>/dev/null || okeep_check_file stdout "$okeep_out"
    (: >>"$okeep_err") 2>/dev/null || okeep_check_file stderr "$okeep_err"
    okeep_check_program "$1"
    okeep_setsid=$(command -v setsid)
    if [ -z "$okeep_setsid" ]; then set -m 2>/dev/null; fi # the next best: a process group of its own

    okeep_become "$@" <"$okeep_in" >>"$okeep_out" 2>>"$okeep_err" &
    okeep_leader=$!
    set +m 2>/dev/null
    okeep_leader_begin=$(okeep_begin_of "$okeep_leader")
    printf '{"boot":"%s","uuid":"%s","keeper":{"pid":%d,"start":%s},"command":{"pid":%d,"start":%s},"at_ms":%s}\n' "$(okeep_boot)" \
        "$okeep_uuid" "$$" "$(okeep_begin_of $$)" "$okeep_leader" "$okeep_leader_begin" "$okeep_started" 1<>"$okeep_folder/pid.tmp" &&
        mv -f "$okeep_folder/pid.tmp" "$okeep_folder/pid"
    okeep_sleeper=
    if [ "$okeep_timeout" -gt 0 ]; then
        okeep_timer </dev/null >/dev/null 2>&1 &
        okeep_sleeper=$!
    fi
    wait "$okeep_leader" 2>/dev/null # the shell's own "Terminated" is nobody's output
    okeep_status=$?

    if [ "$okeep_status" -gt 128 ]; then
        okeep_write_exit unknown "$okeep_status" null
    else
        okeep_write_exit exited "$okeep_status" null
    fi
    if [ -n "$okeep_sleeper" ]; then
        kill "$okeep_sleeper" 2>/dev/null
        wait "$okeep_sleeper" 2>/dev/null
    fi
    # After a request to stop, what is left has the rest of the grace.
    if read -r okeep_at 2>/dev/null <"$okeep_folder/kill-at"; then
        while [ "$(okeep_clock_ms)" -lt "$okeep_at" ] && [ -n "$(okeep_tree "$okeep_uuid" "$okeep_leader" "$okeep_leader_begin" $$ yes)" ]; do
            okeep_sleep_ms 100
        done
        rm -f "$okeep_folder/kill-at"
    fi
    while okeep_kill_pass "$okeep_uuid" "$okeep_leader" "$okeep_leader_begin" $$ yes; do okeep_sleep_ms 50; done
    rm -f "$okeep_folder/ctl" "$okeep_folder/marks.room"
    exit 0
}

# ---- ctl and kill ----

okeep_ctl() { # FOLDER LINE
    okeep_tries=0
    until okeep_read_pids "$1"; do
        # Just begun, perhaps.
        okeep_tries=$((okeep_tries + 1))
        if [ ! -e "$1/begun" ] || [ -e "$1/exit" ] || [ -e "$1/pid" ] || [ $okeep_tries -gt 20 ]; then exit 1; fi
        okeep_sleep_ms 50
    done
    okeep_alive "$okeep_keeper" "$okeep_keeper_begin" || exit 1
    okeep_folder=$1 okeep_words=$2
    if [ -e "$1/exit" ] || ! okeep_alive "$okeep_leader" "$okeep_leader_begin"; then
        echo ended
        exit 0
    fi
    okeep_verb=${okeep_words%% *}
    okeep_words=${okeep_words#"$okeep_verb"} okeep_words=${okeep_words# }
    okeep_name=${okeep_words%% *}
    okeep_words=${okeep_words#"$okeep_name"} okeep_words=${okeep_words# }
    okeep_uuid=${okeep_record#*\"uuid\":\"} okeep_uuid=${okeep_uuid%%\"*}
    case $okeep_verb in
    ping) echo "alive $okeep_leader" && exit 0 ;;
    term | kill) ;;
    *) echo 'error the request is not ping, term or kill' && exit 0 ;;
    esac
    case $okeep_name in
    user | held | cap | none) ;;
    *) echo 'error the mark is not user, held, cap or none' && exit 0 ;;
    esac
    okeep_grace=0
    if [ "$okeep_verb" = term ]; then
        okeep_grace=${okeep_words%% *}
        okeep_words=${okeep_words#"$okeep_grace"} okeep_words=${okeep_words# }
        case $okeep_grace in '' | *[!0-9]*) echo 'error the grace is not a number of milliseconds' && exit 0 ;; esac
    fi
    umask 077
    okeep_mark "$okeep_folder" "$okeep_name" "$okeep_words"
    okeep_at=$(($(okeep_clock_ms) + okeep_grace))
    if [ "$okeep_verb" = term ]; then
        okeep_set_kill_at "$okeep_folder" "$okeep_at"
        okeep_terminate "$okeep_leader" "$okeep_leader_begin"
    else
        okeep_kill_pass "$okeep_uuid" "$okeep_leader" "$okeep_leader_begin" "$okeep_keeper" no
    fi
    # Nobody waits for this one: it ends with the leader.
    (
        trap '' HUP INT
        okeep_enforce "$okeep_folder" "$okeep_at" "$okeep_uuid" "$okeep_leader" "$okeep_leader_begin" "$okeep_keeper"
    ) </dev/null >/dev/null 2>&1 &
    echo 'done'
}

okeep_kill() { # FOLDER UUID
    [ -d "$1" ] || okeep_usage
    case $2 in '' | *[!0-9a-zA-Z-]*) okeep_usage ;; esac
    okeep_keeper=0 okeep_leader=0 okeep_leader_begin=none
    if okeep_read_pids "$1"; then
        if okeep_alive "$okeep_keeper" "$okeep_keeper_begin"; then exit 3; fi
    else
        okeep_leader=0 okeep_leader_begin=none
    fi
    okeep_until=$(($(okeep_clock_ms) + 30000))
    while okeep_kill_pass "$2" "$okeep_leader" "$okeep_leader_begin" 0 no; do
        if [ "$(okeep_clock_ms)" -ge "$okeep_until" ]; then exit 1; fi
        okeep_sleep_ms 50
    done
    if [ -e "$1/begun" ] && [ ! -e "$1/exit" ] && ! grep -q '^void' "$1/begun"; then
        umask 077
        mv -f "$1/exit.tmp" "$1/exit.$$.tmp" 2>/dev/null # the room that was kept for it
        okeep_record=$(cat "$1/pid" 2>/dev/null)
        okeep_started=null okeep_boot_id=$(okeep_boot)
        case $okeep_record in
        *\"at_ms\":*)
            okeep_started=${okeep_record##*\"at_ms\":} okeep_started=${okeep_started%%\}*}
            okeep_boot_id=${okeep_record#*\"boot\":\"} okeep_boot_id=${okeep_boot_id%%\"*}
            ;;
        esac
        printf '%s\n' "{\"protocol\":1,\"keeper\":\"sh\",\"how\":\"keeper-died\",$okeep_died,\"boot\":\"$okeep_boot_id\",\"started_ms\":$okeep_started,\"ended_ms\":$(okeep_wall_ms),\"elapsed_us\":null,\"marks\":[$(okeep_marks "$1")],\"cgroup\":null,\"shared\":null}" >"$1/exit.$$.tmp"
        ln "$1/exit.$$.tmp" "$1/exit" 2>/dev/null # who was first wins
        rm -f "$1/exit.$$.tmp"
    fi
    rm -f "$1/ctl"
    exit 0
}

okeep_usage() {
    echo 'orca-keep.sh: usage: start FOLDER STDIN STDOUT STDERR TIMEOUT_MS GRACE_MS NICE UMASK OOM_SCORE_ADJ SHARED DAEMON_PID -- COMMAND [ARG...] | ctl FOLDER LINE | kill FOLDER UUID | version' >&2
    exit 2
}

case ${1-}.$# in
start.*)
    shift
    okeep_start "$@"
    ;;
ctl.3) okeep_ctl "$2" "$3" ;;
kill.3) okeep_kill "$2" "$3" ;;
version.1) echo 1 ;;
*) okeep_usage ;;
esac
