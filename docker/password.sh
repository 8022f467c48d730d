#!/bin/sh
# Write a random password to docker/.env, readable by its owner only. An existing one is kept.
set -eu
file="$(dirname "$0")/.env"
[ -e "$file" ] && exit 0
umask 077
password=$(LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c 40)
printf 'NEO4J_PASSWORD=%s\n' "$password" >"$file"
